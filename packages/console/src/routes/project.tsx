import { createRoute, lazyRouteComponent, Outlet, retainSearchParams } from '@tanstack/react-router'
import { ProjectScope } from '../shell/project-scope.tsx'
import { requireAccount } from '../shell/require-account.ts'
import { parseTimeRange, type TimeRange } from '../shell/time-range.ts'
import { textOf } from '../ui/text/text-of.ts'
import { root } from './root.ts'

interface ProjectSearch {
  env?: string | undefined
  t?: TimeRange | undefined
}

/** Environment and time range apply to every screen of a project and persist across navigation. */
export const project = createRoute({
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

export const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  staticData: { nav: { label: 'Overview', icon: 'overview', key: 'o' } },
  component: lazyRouteComponent(() => import('../screens/overview/overview-screen.tsx'), 'OverviewScreen'),
})
