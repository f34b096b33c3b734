// Registers every feature, by name and in order.

import type { Call } from '@telltale/core/contract/call'
import { type Calls, callList } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance } from 'fastify'
import { isSignedIn } from '../access/caller.ts'
import { createGuessLimits } from '../access/guess-limits.ts'
import { bindRoute, type Handler, type Handlers, type RateLimits } from '../access/route.ts'
import { aaTestRoutes } from '../guard/aa-test/routes.ts'
import { backTestRoutes } from '../guard/back-test/routes.ts'
import { blastRadiusRoutes } from '../guard/blast-radius/routes.ts'
import { experimentRoutes } from '../guard/experiments/routes.ts'
import { holdoutRoutes } from '../guard/holdouts/routes.ts'
import { impactRoutes } from '../guard/impact/routes.ts'
import { layerRoutes } from '../guard/layers/routes.ts'
import { ledgerRoutes } from '../guard/ledger/routes.ts'
import { metricRoutes } from '../guard/metrics/routes.ts'
import { recordingOrderRoutes } from '../guard/recording-orders/routes.ts'
import { rolloutTemplateRoutes } from '../guard/rollout-templates/routes.ts'
import { rolloutRoutes } from '../guard/rollouts/routes.ts'
import { telltaleRoutes } from '../guard/telltales/routes.ts'
import { bindIntake } from '../intake/bind-intake.ts'
import { bindDatadog } from '../intake/datadog/routes.ts'
import { takeFlagsmithEvents } from '../intake/events/flagsmith-events.ts'
import { createRequestAttributes } from '../intake/events/request-attributes.ts'
import { intakeRoutes } from '../intake/events/routes.ts'
import { bindFaro } from '../intake/faro/routes.ts'
import { liveRoutes } from '../intake/live/routes.ts'
import { openOtlp } from '../intake/otlp/open-otlp.ts'
import { bindOtlp } from '../intake/otlp/routes.ts'
import { privacyRoutes } from '../intake/privacy/routes.ts'
import { retentionRoutes } from '../intake/retention/routes.ts'
import { bindSentry } from '../intake/sentry/routes.ts'
import { sourceMapRoutes } from '../intake/source-maps/routes.ts'
import { attributionRoutes } from '../monitoring/attributions/routes.ts'
import { bindDeployHooks } from '../monitoring/deploy-hooks/receive-delivery.ts'
import { deployHookRoutes } from '../monitoring/deploy-hooks/routes.ts'
import { deployRoutes } from '../monitoring/deploys/routes.ts'
import { exploreRoutes } from '../monitoring/explore/routes.ts'
import { funnelRoutes } from '../monitoring/funnels/routes.ts'
import { issueRoutes } from '../monitoring/issues/routes.ts'
import { logRoutes } from '../monitoring/logs/routes.ts'
import { overviewRoutes } from '../monitoring/overview/routes.ts'
import { pageRoutes } from '../monitoring/pages/routes.ts'
import { profileRoutes } from '../monitoring/profiles/routes.ts'
import { rateRoutes } from '../monitoring/rates/routes.ts'
import { releaseRoutes } from '../monitoring/releases/routes.ts'
import { replayRoutes } from '../monitoring/replays/routes.ts'
import { requestRoutes } from '../monitoring/requests/routes.ts'
import { serviceRoutes } from '../monitoring/services/routes.ts'
import { sessionRoutes } from '../monitoring/sessions/routes.ts'
import { suspectRoutes } from '../monitoring/suspects/routes.ts'
import { traceRoutes } from '../monitoring/traces/routes.ts'
import { alertRoutes } from '../notify/alerts/routes.ts'
import { channelRoutes } from '../notify/channels/routes.ts'
import { commentRoutes } from '../notify/comments/routes.ts'
import { inboxRoutes } from '../notify/inbox/routes.ts'
import { accountRoutes } from '../organisation/accounts/routes.ts'
import { createRefusalNotes } from '../organisation/audit/note-refusal.ts'
import { auditRoutes } from '../organisation/audit/routes.ts'
import { deviceLoginRoutes } from '../organisation/device-logins/routes.ts'
import { environmentRoutes } from '../organisation/environments/routes.ts'
import { installationRoutes } from '../organisation/installation/routes.ts'
import { invitationRoutes } from '../organisation/invitations/routes.ts'
import { keyRoutes } from '../organisation/keys/routes.ts'
import { memberRoutes } from '../organisation/members/routes.ts'
import { projectRoutes } from '../organisation/projects/routes.ts'
import { quotaRoutes } from '../organisation/quotas/routes.ts'
import { roleRoutes } from '../organisation/roles/routes.ts'
import { routeRuleRoutes } from '../organisation/route-rules/routes.ts'
import { savedViewRoutes } from '../organisation/saved-views/routes.ts'
import { bindScim } from '../organisation/scim/bind-scim.ts'
import { scimRoutes } from '../organisation/scim/routes.ts'
import { secondFactorRoutes } from '../organisation/second-factor/routes.ts'
import { bindProviderLogout } from '../organisation/sign-in-providers/receive-logout.ts'
import { signInProviderRoutes } from '../organisation/sign-in-providers/routes.ts'
import { signedUserRoutes } from '../organisation/signed-users/routes.ts'
import { teamRoutes } from '../organisation/teams/routes.ts'
import { tokenRoutes } from '../organisation/tokens/routes.ts'
import { usageRoutes } from '../organisation/usage/routes.ts'
import { userRoutes } from '../organisation/users/routes.ts'
import { dataPaths } from '../platform/data-folder/paths.ts'
import { bindConsole } from '../platform/http/console-files.ts'
import { bindDocs } from '../platform/http/docs-files.ts'
import { bindErrorPages } from '../platform/http/error-pages.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import { openToPages } from '../platform/http/open-to-pages.ts'
import { describeApi } from '../platform/http/openapi.ts'
import { bindOperations } from '../platform/http/operations.ts'
import { createMethodRefusals } from '../platform/http/other-methods.ts'
import { createRateLimit } from '../platform/http/rate-limit.ts'
import { createServer } from '../platform/http/server.ts'
import { closeUnusedConnections } from '../platform/http/unused-connections.ts'
import { bindDelivery } from '../release/bind-delivery.ts'
import { configRoutes } from '../release/change-requests/config-routes.ts'
import { changeRequestRoutes } from '../release/change-requests/routes.ts'
import { codeReferenceRoutes } from '../release/code-references/routes.ts'
import { keepPackages } from '../release/delivery/keep-packages.ts'
import { bindLibrary } from '../release/delivery/library.ts'
import { evaluationRoutes } from '../release/evaluations/routes.ts'
import { flagImportRoutes } from '../release/flag-imports/routes.ts'
import { flagRoutes } from '../release/flags/routes.ts'
import { flagsAsCodeRoutes } from '../release/flags-as-code/routes.ts'
import { flagsmithRoutes } from '../release/flagsmith/routes.ts'
import { identityRoutes } from '../release/identities/routes.ts'
import { overrideRoutes } from '../release/overrides/routes.ts'
import { scheduledChangeRoutes } from '../release/schedules/routes.ts'
import { segmentRoutes } from '../release/segments/routes.ts'
import { toolbarRoutes } from '../release/toolbar/routes.ts'
import { dashboardRoutes } from '../reports/dashboards/routes.ts'
import { digestRoutes } from '../reports/digests/routes.ts'
import { playlistRoutes } from '../reports/playlists/routes.ts'
import { shareLinkRoutes } from '../reports/share-links/routes.ts'
import { bindMcp } from './bind-mcp.ts'
import type { OpenDemo } from './demo/open-demo.ts'
import { measureConditions } from './measure-conditions.ts'
import type { Services } from './services.ts'

/** A call without a handler, or a handler without a call, is a compile error. */
const handlers: { readonly [Word in keyof Calls]: Handlers<Calls[Word], Services> } = {
  installation: installationRoutes,
  accounts: accountRoutes,
  tokens: tokenRoutes,
  'second-factor': secondFactorRoutes,
  'sign-in-providers': signInProviderRoutes,
  scim: scimRoutes,
  'device-logins': deviceLoginRoutes,
  users: userRoutes,
  teams: teamRoutes,
  projects: projectRoutes,
  environments: environmentRoutes,
  keys: keyRoutes,
  'signed-users': signedUserRoutes,
  roles: roleRoutes,
  members: memberRoutes,
  invitations: invitationRoutes,
  flags: { ...flagRoutes, ...configRoutes },
  'change-requests': changeRequestRoutes,
  'scheduled-changes': scheduledChangeRoutes,
  'blast-radius': blastRadiusRoutes,
  overrides: overrideRoutes,
  evaluations: evaluationRoutes,
  toolbar: toolbarRoutes,
  identities: identityRoutes,
  intake: intakeRoutes,
  overview: overviewRoutes,
  sessions: sessionRoutes,
  suspects: suspectRoutes,
  attributions: attributionRoutes,
  ledger: ledgerRoutes,
  pages: pageRoutes,
  requests: requestRoutes,
  services: serviceRoutes,
  traces: traceRoutes,
  logs: logRoutes,
  releases: releaseRoutes,
  'code-references': codeReferenceRoutes,
  'flags-as-code': flagsAsCodeRoutes,
  deploys: deployRoutes,
  digests: digestRoutes,
  'deploy-hooks': deployHookRoutes,
  explore: exploreRoutes,
  funnels: funnelRoutes,
  rates: rateRoutes,
  issues: issueRoutes,
  live: liveRoutes,
  replays: replayRoutes,
  profiles: profileRoutes,
  privacy: privacyRoutes,
  retention: retentionRoutes,
  usage: usageRoutes,
  quotas: quotaRoutes,
  recordingOrders: recordingOrderRoutes,
  'source-maps': sourceMapRoutes,
  impact: impactRoutes,
  'aa-test': aaTestRoutes,
  experiments: experimentRoutes,
  layers: layerRoutes,
  holdouts: holdoutRoutes,
  metrics: metricRoutes,
  'rollout-templates': rolloutTemplateRoutes,
  channels: channelRoutes,
  comments: commentRoutes,
  'saved-views': savedViewRoutes,
  dashboards: dashboardRoutes,
  'share-links': shareLinkRoutes,
  playlists: playlistRoutes,
  inbox: inboxRoutes,
  alerts: alertRoutes,
  rollouts: { ...rolloutRoutes, ...backTestRoutes },
  telltales: telltaleRoutes,
  'route-rules': routeRuleRoutes,
  segments: segmentRoutes,
  flagsmith: flagsmithRoutes,
  'flag-imports': flagImportRoutes,
  audit: auditRoutes,
}

/** Folders of the built files to serve. */
export interface BuiltFolders {
  console: string
  docs: string
  /** The browser SDK. */
  scripts: string
  packages: string[]
}

/** The complete server, ready to listen. */
export async function createApp(
  services: Services,
  folders: BuiltFolders,
  demo?: OpenDemo,
): Promise<FastifyInstance> {
  const opened = await createServer(services)
  const { server } = opened
  const metrics = createMetrics({
    postgres: services.postgresState,
    clickhouse: () => services.telemetry.state().state,
  })
  measureConditions(metrics.registry, services)

  closeUnusedConnections(server)
  metrics.measure(server)
  openToPages(server)
  bindOperations(server, services, metrics)
  bindErrorPages(server)
  bindManagement(server, services)
  bindMcp(server, services)
  await bindProviderLogout(server, services)
  await bindScim(server, services)
  await bindDeployHooks(server, services)
  // Before the server waits for connections to close: live tails stay open until closed here.
  server.addHook('preClose', services.live.close)
  const keys = await bindDelivery(opened, services, {
    ...{ metrics, takeEvents: takeFlagsmithEvents(services) },
    requestAttributes: createRequestAttributes(services.intake.countryOf),
  })
  const takeHistory = await bindIntake(server, services, keys)
  await bindDatadog(server, services, keys)
  const takes = openOtlp(services)
  server.addHook('onClose', async () => takes.stop())
  await bindSentry(server, services, { keys, takes })
  await bindFaro(server, services, { keys, takes })
  await bindOtlp(server, services, { keys, takes })
  const { packages } = dataPaths(services.config.dataFolder)
  keepPackages(packages, { from: folders.packages, log: services.log })
  // The latest build takes precedence.
  await bindLibrary(server, { scripts: folders.scripts, packages: [packages, ...folders.packages] })
  await demo?.bind(server, { history: takeHistory, otlp: takes })
  await bindConsole(server, {
    folder: folders.console,
    refuseMethod: createMethodRefusals(managementRoutes),
    isSignedIn: (request) => isSignedIn(services, request),
  })
  bindDocs(server, folders.docs)
  return server
}

function bindManagement(server: FastifyInstance, services: Services): void {
  const rates: RateLimits = {
    management: createRateLimit(services.config.managementRate, services.elapsed),
    guesses: createGuessLimits(services),
    credentials: createRateLimit(limits.credentialsRefused, services.elapsed),
  }
  const noteRefusal = createRefusalNotes(services)
  for (const { word, name, call } of callList) {
    bindRoute(server, { call, handler: handlerOf(word, name), services, rates, noteRefusal })
  }
  let description: object | undefined
  server.get('/api/openapi.json', async () => {
    // Built on first use, because it would lengthen startup by a sixth.
    description ??= describeApi(services.version)
    return description
  })
}

const managementRoutes = [
  { path: '/api/openapi.json', method: 'GET' },
  ...callList.map(({ call: { path, method } }) => ({ path, method })),
]

/** The table of handlers is type-checked call by call; this looks one up by name. */
function handlerOf(word: keyof Calls, name: string): Handler<Call, Services> {
  const handler: unknown = new Map<string, unknown>(Object.entries(handlers[word])).get(name)
  if (typeof handler !== 'function') throw new Error(`The call ${word}.${name} has no handler.`)
  return handler as Handler<Call, Services>
}
