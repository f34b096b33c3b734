import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from '@tanstack/react-router'
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

export const screens = root.addChildren([
  setup,
  signIn,
  passwordReset,
  invite,
  projects,
  project.addChildren([overview, segments, segment, identities, identity]),
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
