// The assembly: every feature is registered here, by name, in order.

import type { Call } from '@telltale/core/contract/call'
import { type Calls, callList } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance } from 'fastify'
import { accountRoutes } from './accounts/routes.ts'
import { alertRoutes } from './alerts/routes.ts'
import { measureConditions } from './app/measure-conditions.ts'
import { createRefusalNotes } from './audit/note-refusal.ts'
import { auditRoutes } from './audit/routes.ts'
import { blastRadiusRoutes } from './blast-radius/routes.ts'
import { canaryRoutes } from './canary/routes.ts'
import { configRoutes } from './change-requests/config-routes.ts'
import { changeRequestRoutes } from './change-requests/routes.ts'
import { channelRoutes } from './channels/routes.ts'
import { dataPaths } from './data-folder/paths.ts'
import { bindDelivery } from './delivery/bind-delivery.ts'
import { keepPackages } from './delivery/keep-packages.ts'
import { bindLibrary } from './delivery/library.ts'
import type { OpenDemo } from './demo/open-demo.ts'
import { environmentRoutes } from './environments/routes.ts'
import { evaluationRoutes } from './evaluations/routes.ts'
import { exploreRoutes } from './explore/routes.ts'
import { flagRoutes } from './flags/routes.ts'
import { flagsmithRoutes } from './flagsmith/routes.ts'
import { bindConsole } from './http/console-files.ts'
import { bindDocs } from './http/docs-files.ts'
import { bindErrorPages } from './http/error-pages.ts'
import { createGuessLimits } from './http/guess-limits.ts'
import { createMetrics } from './http/metrics.ts'
import { openToPages } from './http/open-to-pages.ts'
import { describeApi } from './http/openapi.ts'
import { bindOperations } from './http/operations.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { bindRoute, type Handler, type Handlers, type RateLimits } from './http/route.ts'
import { createServer, refuseOtherMethods } from './http/server.ts'
import { closeUnusedConnections } from './http/unused-connections.ts'
import { identityRoutes } from './identities/routes.ts'
import { impactRoutes } from './impact/routes.ts'
import { installationRoutes } from './installation/routes.ts'
import { bindIntake } from './intake/bind-intake.ts'
import { bindDatadog } from './intake/datadog/routes.ts'
import { takeFlagsmithEvents } from './intake/flagsmith-events.ts'
import { intakeRoutes } from './intake/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { issueRoutes } from './issues/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { metricRoutes } from './metrics/routes.ts'
import { overrideRoutes } from './overrides/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { profileRoutes } from './profiles/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { replayRoutes } from './replays/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { retentionRoutes } from './retention/routes.ts'
import { backTestRoutes } from './rollouts/back-test/routes.ts'
import { rolloutRoutes } from './rollouts/routes.ts'
import { routeRuleRoutes } from './route-rules/routes.ts'
import { scheduledChangeRoutes } from './scheduled-changes/routes.ts'
import { segmentRoutes } from './segments/routes.ts'
import type { Services } from './services.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { sourceMapRoutes } from './source-maps/routes.ts'
import { suspectRoutes } from './suspects/routes.ts'
import { telltaleRoutes } from './telltales/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { userRoutes } from './users/routes.ts'

/** A call without a handler, or a handler without a call, does not compile. */
const handlers: { readonly [Word in keyof Calls]: Handlers<Calls[Word], Services> } = {
  installation: installationRoutes,
  accounts: accountRoutes,
  tokens: tokenRoutes,
  users: userRoutes,
  projects: projectRoutes,
  environments: environmentRoutes,
  keys: keyRoutes,
  members: memberRoutes,
  invitations: invitationRoutes,
  flags: { ...flagRoutes, ...configRoutes },
  'change-requests': changeRequestRoutes,
  'scheduled-changes': scheduledChangeRoutes,
  'blast-radius': blastRadiusRoutes,
  overrides: overrideRoutes,
  evaluations: evaluationRoutes,
  identities: identityRoutes,
  intake: intakeRoutes,
  overview: overviewRoutes,
  sessions: sessionRoutes,
  suspects: suspectRoutes,
  pages: pageRoutes,
  requests: requestRoutes,
  explore: exploreRoutes,
  issues: issueRoutes,
  live: liveRoutes,
  replays: replayRoutes,
  profiles: profileRoutes,
  privacy: privacyRoutes,
  retention: retentionRoutes,
  'source-maps': sourceMapRoutes,
  impact: impactRoutes,
  canary: canaryRoutes,
  metrics: metricRoutes,
  channels: channelRoutes,
  alerts: alertRoutes,
  rollouts: { ...rolloutRoutes, ...backTestRoutes },
  telltales: telltaleRoutes,
  'route-rules': routeRuleRoutes,
  segments: segmentRoutes,
  flagsmith: flagsmithRoutes,
  audit: auditRoutes,
}

/** Where the built files are that it serves. */
export interface BuiltFolders {
  console: string
  docs: string
  libraries: string[]
}

/** The whole server, ready to listen. */
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
  // Before the server waits for its connections: live tails would never end by themselves.
  server.addHook('preClose', services.live.close)
  const keys = await bindDelivery(opened, services, { metrics, takeEvents: takeFlagsmithEvents(services) })
  const takeHistory = await bindIntake(server, services, keys)
  await bindDatadog(server, services, keys)
  const { packages } = dataPaths(services.config.dataFolder)
  keepPackages(packages, { from: folders.libraries, log: services.log })
  // What was built last wins.
  await bindLibrary(server, [packages, ...folders.libraries])
  await demo?.bind(server, takeHistory)
  await bindConsole(server, folders.console)
  bindDocs(server, folders.docs)
  return server
}

function bindManagement(server: FastifyInstance, services: Services): void {
  const rates: RateLimits = {
    management: createRateLimit(services.config.managementRate, services.elapsed),
    guesses: createGuessLimits(services.elapsed),
    credentials: createRateLimit(limits.credentialsRefused, services.elapsed),
  }
  const noteRefusal = createRefusalNotes(services)
  for (const { word, name, call } of callList) {
    bindRoute(server, { call, handler: handlerOf(word, name), services, rates, noteRefusal })
  }
  let description: object | undefined
  server.get('/api/openapi.json', async () => {
    // Not at the start, which would take a sixth longer.
    description ??= describeApi(services.version)
    return description
  })

  const methods = new Map<string, string[]>([['/api/openapi.json', ['GET']]])
  for (const { call } of callList) methods.set(call.path, [...(methods.get(call.path) ?? []), call.method])
  for (const [path, allowed] of methods) {
    refuseOtherMethods(server, path, allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)
  }
}

/** The table of handlers was checked call by call; here one of them is taken by name. */
function handlerOf(word: keyof Calls, name: string): Handler<Call, Services> {
  const handler: unknown = new Map<string, unknown>(Object.entries(handlers[word])).get(name)
  if (typeof handler !== 'function') throw new Error(`The call ${word}.${name} has no handler.`)
  return handler as Handler<Call, Services>
}
