import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { parseAuditSearch } from './screens/audit/audit-search.ts'
import {
  parseChangesSearch,
  requestStates,
  scheduledStates,
} from './screens/change-requests/change-requests-search.ts'
import { type FlagsSearch, lifecycles } from './screens/flags/flags-search.ts'
import type { IdentitiesSearch, IdentitySearch } from './screens/identities/identities-search.ts'
import type { SegmentsSearch } from './screens/segments/segments-search.ts'
import { ProjectScope } from './shell/project-scope.tsx'
import { requireAccount } from './shell/require-account.ts'
import './shell/route-facts.ts'
import { Root, type RouterContext } from './shell/root.tsx'
import { parseTimeRange, type TimeRange } from './shell/time-range.ts'

/**
 * The one table of addresses. A screen that does not stand here does not exist: navigation, keys and palette are
 * made from it. Every screen is a chunk of its own. A `validateSearch` names each of its parameters, also those that are
 * missing or wrong: what it leaves out comes through as it stands in the address.
 */
const root = createRootRouteWithContext<RouterContext>()({ component: Root })

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  staticData: { isPublic: true },
  component: lazyRouteComponent(() => import('./screens/setup/setup-screen.tsx'), 'SetupScreen'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  staticData: { isPublic: true },
  validateSearch: (search): { to?: string | undefined } => ({
    to: isOwnAddress(search.to) ? search.to : undefined,
  }),
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  staticData: { isPublic: true },
  validateSearch: (search): { token?: string | undefined } => ({ token: textOf(search.token) }),
  component: lazyRouteComponent(
    () => import('./screens/password-reset/password-reset-screen.tsx'),
    'PasswordResetScreen',
  ),
})

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  staticData: { isPublic: true },
  component: lazyRouteComponent(() => import('./screens/invite/invite-screen.tsx'), 'InviteScreen'),
})

const projects = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: requireAccount,
  component: lazyRouteComponent(() => import('./screens/projects/projects-screen.tsx'), 'ProjectsScreen'),
})

interface ProjectSearch {
  env?: string | undefined
  t?: TimeRange | undefined
}

/** Environment and time range belong to every screen of a project and stay when one goes to another. */
const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$project',
  beforeLoad: requireAccount,
  validateSearch: (search: Record<string, unknown>): ProjectSearch => ({
    env: textOf(search.env),
    t: parseTimeRange(search.t),
  }),
  search: { middlewares: [retainSearchParams<ProjectSearch>(['env', 't'])] },
  component: () => (
    <ProjectScope>
      <Outlet />
    </ProjectScope>
  ),
})

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  staticData: { nav: { label: 'Overview', icon: 'overview', key: 'o' } },
  component: lazyRouteComponent(() => import('./screens/overview/overview-screen.tsx'), 'OverviewScreen'),
})

const flags = createRoute({
  getParentRoute: () => project,
  path: '/flags',
  staticData: { nav: { group: 'Release', label: 'Flags', icon: 'flag', key: 'f' } },
  validateSearch: (search: Record<string, unknown>): FlagsSearch => ({
    q: textOf(search.q),
    state: lifecycles.find((state) => state === search.state),
    new: search.new === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./screens/flags/flags-screen.tsx'), 'FlagsScreen'),
})

const flag = createRoute({
  getParentRoute: () => project,
  path: '/flags/$flag',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/p/$project/flags/$flag/$tab',
      params: { ...params, tab: 'targeting' },
      replace: true,
    })
  },
})

const flagTab = createRoute({
  getParentRoute: () => project,
  path: '/flags/$flag/$tab',
  component: lazyRouteComponent(() => import('./screens/flags/flag-screen.tsx'), 'FlagScreen'),
})

const segments = createRoute({
  getParentRoute: () => project,
  path: '/segments',
  staticData: { nav: { group: 'Release', label: 'Segments', icon: 'segment' } },
  validateSearch: (search: Record<string, unknown>): SegmentsSearch => ({
    q: textOf(search.q),
    sort: textOf(search.sort),
    peek: textOf(search.peek),
    new: search.new === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import('./screens/segments/segments-screen.tsx'), 'SegmentsScreen'),
})

const segment = createRoute({
  getParentRoute: () => project,
  path: '/segments/$segment',
  component: lazyRouteComponent(() => import('./screens/segments/segment-screen.tsx'), 'SegmentScreen'),
})

const identities = createRoute({
  getParentRoute: () => project,
  path: '/identities',
  staticData: { nav: { group: 'Release', label: 'Identities', icon: 'identity', key: 'i' } },
  validateSearch: (search: Record<string, unknown>): IdentitiesSearch => ({
    q: textOf(search.q),
    trait: textOf(search.trait),
    value: textOf(typeof search.value === 'boolean' ? String(search.value) : search.value),
    peek: textOf(search.peek),
  }),
  component: lazyRouteComponent(
    () => import('./screens/identities/identities-screen.tsx'),
    'IdentitiesScreen',
  ),
})

const identity = createRoute({
  getParentRoute: () => project,
  path: '/identities/$identity',
  validateSearch: (search: Record<string, unknown>): IdentitySearch => ({
    q: textOf(search.q),
    flag: textOf(search.flag),
    override: search.override === '' ? '' : textOf(search.override),
  }),
  component: lazyRouteComponent(() => import('./screens/identities/identity-screen.tsx'), 'IdentityScreen'),
})

const changeRequests = createRoute({
  getParentRoute: () => project,
  path: '/change-requests',
  validateSearch: parseChangesSearch(requestStates),
  component: lazyRouteComponent(
    () => import('./screens/change-requests/change-requests-screen.tsx'),
    'ChangeRequestsScreen',
  ),
})

const changeRequest = createRoute({
  getParentRoute: () => project,
  path: '/change-requests/$changeRequest',
  component: lazyRouteComponent(
    () => import('./screens/change-requests/change-request-screen.tsx'),
    'ChangeRequestScreen',
  ),
})

const scheduledChanges = createRoute({
  getParentRoute: () => project,
  path: '/scheduled-changes',
  validateSearch: parseChangesSearch(scheduledStates),
  component: lazyRouteComponent(
    () => import('./screens/change-requests/scheduled-changes-screen.tsx'),
    'ScheduledChangesScreen',
  ),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  staticData: { nav: { group: 'Operate', label: 'Settings', icon: 'settings', key: ',' } },
})

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$project/settings/general', params, replace: true })
  },
})

const generalSettings = createRoute({
  getParentRoute: () => settings,
  path: '/general',
  staticData: { section: { of: 'settings', group: 'Project', label: 'General' } },
  component: lazyRouteComponent(() => import('./screens/settings/general-screen.tsx'), 'GeneralScreen'),
})

const environments = createRoute({
  getParentRoute: () => settings,
  path: '/environments',
  staticData: { section: { of: 'settings', group: 'Project', label: 'Environments and keys' } },
  component: lazyRouteComponent(
    () => import('./screens/settings/environments-screen.tsx'),
    'EnvironmentsScreen',
  ),
})

const environment = createRoute({
  getParentRoute: () => settings,
  path: '/environments/$environment',
  validateSearch: (search: Record<string, unknown>): { revoked?: boolean | undefined } => ({
    revoked: search.revoked === true ? true : undefined,
  }),
  component: lazyRouteComponent(
    () => import('./screens/settings/environment-screen.tsx'),
    'EnvironmentScreen',
  ),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  staticData: { section: { of: 'settings', group: 'People', label: 'Members and roles' } },
  component: lazyRouteComponent(() => import('./screens/settings/members-screen.tsx'), 'MembersScreen'),
})

const projectTokens = createRoute({
  getParentRoute: () => settings,
  path: '/tokens',
  staticData: { section: { of: 'settings', group: 'People', label: 'API tokens' } },
  component: lazyRouteComponent(
    () => import('./screens/tokens/project-tokens-screen.tsx'),
    'ProjectTokensScreen',
  ),
})

const projectAudit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  staticData: { section: { of: 'settings', group: 'Data', label: 'Audit log' } },
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('./screens/audit/project-audit-screen.tsx'),
    'ProjectAuditScreen',
  ),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: requireAccount,
})

const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  staticData: { section: { of: 'account', label: 'Profile' } },
  component: lazyRouteComponent(() => import('./screens/account/profile-screen.tsx'), 'ProfileScreen'),
})

const loginSessions = createRoute({
  getParentRoute: () => account,
  path: '/sessions',
  staticData: { section: { of: 'account', label: 'Signed in' } },
  component: lazyRouteComponent(() => import('./screens/account/sessions-screen.tsx'), 'SessionsScreen'),
})

const accountTokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  staticData: { section: { of: 'account', label: 'API tokens' } },
  component: lazyRouteComponent(
    () => import('./screens/tokens/account-tokens-screen.tsx'),
    'AccountTokensScreen',
  ),
})

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: requireAccount,
})

const adminStart = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/installation', replace: true })
  },
})

const installation = createRoute({
  getParentRoute: () => admin,
  path: '/installation',
  staticData: { section: { of: 'admin', label: 'Health and storage' } },
  component: lazyRouteComponent(
    () => import('./screens/admin/installation-screen.tsx'),
    'InstallationScreen',
  ),
})

const users = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  staticData: { section: { of: 'admin', label: 'Users' } },
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: textOf(search.q) }),
  component: lazyRouteComponent(() => import('./screens/admin/users-screen.tsx'), 'UsersScreen'),
})

const installationAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  staticData: { section: { of: 'admin', label: 'Audit log' } },
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('./screens/audit/installation-audit-screen.tsx'),
    'InstallationAuditScreen',
  ),
})

export const screens = root.addChildren([
  setup,
  signIn,
  passwordReset,
  invite,
  projects,
  project.addChildren([
    overview,
    flags,
    flag,
    flagTab,
    segments,
    segment,
    identities,
    identity,
    changeRequests,
    changeRequest,
    scheduledChanges,
    settings.addChildren([
      settingsStart,
      generalSettings,
      environments,
      environment,
      members,
      projectTokens,
      projectAudit,
    ]),
  ]),
  account.addChildren([profile, loginSessions, accountTokens]),
  admin.addChildren([adminStart, installation, users, installationAudit]),
])

/** What looks like a number in the address is one by now, and is text all the same. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Only ways back into the console: never to another site. */
function isOwnAddress(to: unknown): to is string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to)
}
