import { account, accountTokens, device, loginSessions, profile, secondFactor } from './routes/account.ts'
import {
  admin,
  adminStart,
  installation,
  installationAudit,
  installationUsage,
  singleSignOn,
  team,
  teams,
  users,
} from './routes/admin.ts'
import { alert, alerts, editAlert, newAlert } from './routes/alerts.ts'
import {
  invite,
  inviteOfPath,
  passwordReset,
  projects,
  providerReturn,
  setup,
  signIn,
} from './routes/arrival.ts'
import { dashboard, dashboards, sharedDashboard } from './routes/dashboards.ts'
import { errorIssue, errors } from './routes/errors.ts'
import { experiment, experiments, holdout, holdouts, layers } from './routes/experiments.ts'
import { explore, exploreFunnel, explorePaths, exploreRetention } from './routes/explore.ts'
import {
  flag,
  flagHistory,
  flagImpact,
  flagSettings,
  flagStart,
  flags,
  flagTargeting,
  flagUsage,
} from './routes/flags.ts'
import { live } from './routes/live.ts'
import { page, pages } from './routes/pages.ts'
import { playlist, playlists } from './routes/playlists.ts'
import { oneProfile, pageProfiles, profiles } from './routes/profiles.ts'
import { inbox, overview, project } from './routes/project.tsx'
import {
  changeRequest,
  changeRequests,
  identities,
  identity,
  ledger,
  rollout,
  rollouts,
  scheduledChanges,
  segment,
  segments,
} from './routes/release.ts'
import { compareReleases, release, releases } from './routes/releases.ts'
import { requestOfEndpoint, requests } from './routes/requests.ts'
import { root } from './routes/root.ts'
import { logs, service, services, trace, traces } from './routes/servers.ts'
import { session, sessions, sharedSession, similarSession } from './routes/sessions.ts'
import {
  channel,
  channels,
  codeSettings,
  dataSettings,
  digestSettings,
  environment,
  environments,
  generalSettings,
  members,
  metricSettings,
  projectAudit,
  projectTokens,
  roles,
  rolloutTemplateSettings,
  settings,
  settingsStart,
  shareLinkSettings,
  sourceMapSettings,
  usageSettings,
  webhooks,
} from './routes/settings.ts'

/**
 * The single table of routes. Navigation, shortcuts and the palette are built from it. Every screen is a
 * separate chunk. A `validateSearch` names each of its parameters, including missing or invalid ones:
 * parameters it leaves out pass through unvalidated.
 */
export const screens = root.addChildren([
  setup,
  signIn,
  providerReturn,
  passwordReset,
  invite,
  inviteOfPath,
  sharedSession,
  sharedDashboard,
  projects,
  project.addChildren([
    overview,
    inbox,
    flags,
    flag.addChildren([flagStart, flagTargeting, flagImpact, flagHistory, flagUsage, flagSettings]),
    rollouts,
    rollout,
    experiments,
    experiment,
    layers,
    holdouts,
    holdout,
    ledger,
    segments,
    segment,
    identities,
    identity,
    changeRequests,
    changeRequest,
    scheduledChanges,
    sessions,
    session,
    similarSession,
    playlists,
    playlist,
    errors,
    errorIssue,
    releases,
    compareReleases,
    release,
    pages,
    page,
    profiles,
    pageProfiles,
    oneProfile,
    requests,
    requestOfEndpoint,
    explore,
    exploreFunnel,
    exploreRetention,
    explorePaths,
    dashboards,
    dashboard,
    live,
    services,
    service,
    traces,
    trace,
    logs,
    alerts,
    newAlert,
    alert,
    editAlert,
    settings.addChildren([
      settingsStart,
      generalSettings,
      environments,
      environment,
      metricSettings,
      rolloutTemplateSettings,
      channels,
      channel,
      digestSettings,
      codeSettings,
      webhooks,
      members,
      roles,
      projectTokens,
      shareLinkSettings,
      dataSettings,
      usageSettings,
      sourceMapSettings,
      projectAudit,
    ]),
  ]),
  account.addChildren([profile, secondFactor, loginSessions, accountTokens, device]),
  admin.addChildren([
    adminStart,
    installation,
    installationUsage,
    users,
    teams,
    team,
    singleSignOn,
    installationAudit,
  ]),
])
