import { createRoute, lazyRouteComponent, Outlet, retainSearchParams } from '@tanstack/react-router'
import { environmentsQuery } from '../api/environments.ts'
import { ProjectScope } from '../shell/project-scope.tsx'
import { requireAccount } from '../shell/require-account.ts'
import { parseTimeRange } from '../shell/time-range.ts'
import { searchParser } from '../ui/search-parameters.ts'
import { textOf } from '../ui/text/text-of.ts'
import { root } from './root.ts'

const parseProjectSearch = searchParser({ env: textOf, t: parseTimeRange })

/** Environment and time range apply to every screen of a project and persist across navigation. */
export const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$project',
  beforeLoad: requireAccount,
  validateSearch: parseProjectSearch,
  // While the code of the screen loads, which needs them.
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery({
      ...environmentsQuery(params.project),
      staleTime: Number.POSITIVE_INFINITY,
    })
  },
  search: { middlewares: [retainSearchParams<ReturnType<typeof parseProjectSearch>>(['env', 't'])] },
  component: () => (
    <ProjectScope>
      <Outlet />
    </ProjectScope>
  ),
})

export const inbox = createRoute({
  getParentRoute: () => project,
  path: '/inbox',
  staticData: { nav: { label: 'Inbox', icon: 'mail', key: 'n', count: 'inbox' } },
  component: lazyRouteComponent(() => import('../screens/inbox/inbox-screen.tsx'), 'InboxScreen'),
})

export const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  staticData: { nav: { label: 'Overview', icon: 'overview', key: 'o' } },
  component: lazyRouteComponent(() => import('../screens/overview/overview-screen.tsx'), 'OverviewScreen'),
})
