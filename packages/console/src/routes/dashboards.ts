import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseDashboardSearch, parseDashboardsSearch } from '../screens/dashboards/dashboard-search.ts'
import { project } from './project.tsx'
import { root } from './root.ts'

export const dashboards = createRoute({
  getParentRoute: () => project,
  path: '/dashboards',
  staticData: { nav: { group: 'Experience', label: 'Dashboards', icon: 'dashboard', key: 'd' } },
  validateSearch: parseDashboardsSearch,
  component: lazyRouteComponent(
    () => import('../screens/dashboards/dashboards-screen.tsx'),
    'DashboardsScreen',
  ),
})

export const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/dashboards/$dashboard',
  validateSearch: parseDashboardSearch,
  component: lazyRouteComponent(
    () => import('../screens/dashboards/dashboard-screen.tsx'),
    'DashboardScreen',
  ),
})

/** For readers outside, with the token of the link in the fragment. */
export const sharedDashboard = createRoute({
  getParentRoute: () => root,
  path: '/shared/dashboard',
  staticData: { isPublic: true },
  component: lazyRouteComponent(
    () => import('../screens/dashboards/shared-dashboard-screen.tsx'),
    'SharedDashboardScreen',
  ),
})
