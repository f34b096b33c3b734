// Every call of the management API, by group and name. A call that is missing here does not exist.

import { aaTestCalls } from './aa-test.ts'
import { accountCalls } from './accounts.ts'
import { alertCalls } from './alerts.ts'
import { attributionCalls } from './attributions.ts'
import { auditCalls } from './audit.ts'
import { blastRadiusCalls } from './blast-radius.ts'
import type { Call } from './call.ts'
import { changeRequestCalls } from './change-requests.ts'
import { channelCalls } from './channels.ts'
import { codeReferenceCalls } from './code-references.ts'
import { commentCalls } from './comments.ts'
import { dashboardCalls } from './dashboards.ts'
import { deployHookCalls } from './deploy-hooks.ts'
import { deployCalls } from './deploys.ts'
import { deviceLoginCalls } from './device-logins.ts'
import { digestCalls } from './digests.ts'
import { environmentCalls } from './environments.ts'
import { evaluationCalls } from './evaluations.ts'
import { experimentCalls } from './experiments.ts'
import { exploreCalls } from './explore.ts'
import { flagImportCalls } from './flag-imports.ts'
import { flagCalls } from './flags.ts'
import { flagsAsCodeCalls } from './flags-as-code.ts'
import { flagsmithCalls } from './flagsmith.ts'
import { funnelCalls } from './funnels.ts'
import { holdoutCalls } from './holdouts.ts'
import { identityCalls } from './identities.ts'
import { impactCalls } from './impact.ts'
import { inboxCalls } from './inbox.ts'
import { installationCalls } from './installation.ts'
import { intakeCalls } from './intake.ts'
import { invitationCalls } from './invitations.ts'
import { issueCalls } from './issues.ts'
import { keyCalls } from './keys.ts'
import { layerCalls } from './layers.ts'
import { ledgerCalls } from './ledger.ts'
import { liveCalls } from './live.ts'
import { logCalls } from './logs.ts'
import { memberCalls } from './members.ts'
import { metricCalls } from './metrics.ts'
import { overrideCalls } from './overrides.ts'
import { overviewCalls } from './overview.ts'
import { pageCalls } from './pages.ts'
import { playlistCalls } from './playlists.ts'
import { privacyCalls } from './privacy.ts'
import { profileCalls } from './profiles.ts'
import { projectCalls } from './projects.ts'
import { quotaCalls } from './quotas.ts'
import { rateCalls } from './rates.ts'
import { recordingOrderCalls } from './recording-orders.ts'
import { releaseCalls } from './releases.ts'
import { replayCalls } from './replays.ts'
import { requestCalls } from './requests.ts'
import { retentionCalls } from './retention.ts'
import { roleCalls } from './roles.ts'
import { rolloutTemplateCalls } from './rollout-templates.ts'
import { rolloutCalls } from './rollouts.ts'
import { routeRuleCalls } from './route-rules.ts'
import { savedViewCalls } from './saved-views.ts'
import { scheduledChangeCalls } from './scheduled-changes.ts'
import { scimCalls } from './scim.ts'
import { secondFactorCalls } from './second-factor.ts'
import { segmentCalls } from './segments.ts'
import { serviceCalls } from './services.ts'
import { sessionCalls } from './sessions.ts'
import { shareLinkCalls } from './share-links.ts'
import { signInProviderCalls } from './sign-in-providers.ts'
import { signedUserCalls } from './signed-users.ts'
import { sourceMapCalls } from './source-maps.ts'
import { suspectCalls } from './suspects.ts'
import { teamCalls } from './teams.ts'
import { telltaleCalls } from './telltales.ts'
import { tokenCalls } from './tokens.ts'
import { toolbarCalls } from './toolbar.ts'
import { traceCalls } from './traces.ts'
import { usageCalls } from './usage.ts'
import { userCalls } from './users.ts'

export const calls = {
  installation: installationCalls,
  accounts: accountCalls,
  tokens: tokenCalls,
  'second-factor': secondFactorCalls,
  'sign-in-providers': signInProviderCalls,
  scim: scimCalls,
  'device-logins': deviceLoginCalls,
  users: userCalls,
  teams: teamCalls,
  projects: projectCalls,
  environments: environmentCalls,
  keys: keyCalls,
  'signed-users': signedUserCalls,
  roles: roleCalls,
  members: memberCalls,
  invitations: invitationCalls,
  flags: flagCalls,
  'change-requests': changeRequestCalls,
  'scheduled-changes': scheduledChangeCalls,
  'blast-radius': blastRadiusCalls,
  overrides: overrideCalls,
  evaluations: evaluationCalls,
  toolbar: toolbarCalls,
  identities: identityCalls,
  intake: intakeCalls,
  overview: overviewCalls,
  sessions: sessionCalls,
  suspects: suspectCalls,
  attributions: attributionCalls,
  ledger: ledgerCalls,
  pages: pageCalls,
  requests: requestCalls,
  services: serviceCalls,
  traces: traceCalls,
  logs: logCalls,
  rates: rateCalls,
  releases: releaseCalls,
  'code-references': codeReferenceCalls,
  'flags-as-code': flagsAsCodeCalls,
  deploys: deployCalls,
  digests: digestCalls,
  'deploy-hooks': deployHookCalls,
  explore: exploreCalls,
  funnels: funnelCalls,
  issues: issueCalls,
  live: liveCalls,
  replays: replayCalls,
  profiles: profileCalls,
  privacy: privacyCalls,
  retention: retentionCalls,
  usage: usageCalls,
  quotas: quotaCalls,
  recordingOrders: recordingOrderCalls,
  'source-maps': sourceMapCalls,
  impact: impactCalls,
  'aa-test': aaTestCalls,
  experiments: experimentCalls,
  layers: layerCalls,
  holdouts: holdoutCalls,
  metrics: metricCalls,
  channels: channelCalls,
  comments: commentCalls,
  'saved-views': savedViewCalls,
  dashboards: dashboardCalls,
  'share-links': shareLinkCalls,
  playlists: playlistCalls,
  inbox: inboxCalls,
  alerts: alertCalls,
  rollouts: rolloutCalls,
  'rollout-templates': rolloutTemplateCalls,
  telltales: telltaleCalls,
  'route-rules': routeRuleCalls,
  segments: segmentCalls,
  flagsmith: flagsmithCalls,
  'flag-imports': flagImportCalls,
  audit: auditCalls,
} as const satisfies Record<string, Record<string, Call>>

export type Calls = typeof calls

export interface NamedCall {
  word: keyof Calls
  name: string
  call: Call
}

/** The table as a list, for everything that is derived from it. */
export const callList: readonly NamedCall[] = Object.entries(calls).flatMap(([word, group]) =>
  Object.entries(group).map(([name, call]) => ({ word: word as keyof Calls, name, call })),
)
