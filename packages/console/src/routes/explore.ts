import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import {
  parseFunnelSearch,
  parsePathsSearch,
  parseRetentionSearch,
} from '../features/explore/behaviour-search.ts'
import { parseExploreSearch } from '../features/explore/explore-search.ts'
import { project } from './project.tsx'

export const explore = createRoute({
  getParentRoute: () => project,
  path: '/explore',
  staticData: { nav: { group: 'Experience', label: 'Explore', icon: 'explore', key: 'x' } },
  validateSearch: parseExploreSearch,
  component: lazyRouteComponent(() => import('../screens/explore/explore-screen.tsx'), 'ExploreScreen'),
})

export const exploreFunnel = createRoute({
  getParentRoute: () => project,
  path: '/explore/funnel',
  validateSearch: parseFunnelSearch,
  component: lazyRouteComponent(() => import('../screens/explore/funnel/funnel-screen.tsx'), 'FunnelScreen'),
})

export const exploreRetention = createRoute({
  getParentRoute: () => project,
  path: '/explore/retention',
  validateSearch: parseRetentionSearch,
  component: lazyRouteComponent(
    () => import('../screens/explore/retention/retention-screen.tsx'),
    'RetentionScreen',
  ),
})

export const explorePaths = createRoute({
  getParentRoute: () => project,
  path: '/explore/paths',
  validateSearch: parsePathsSearch,
  component: lazyRouteComponent(() => import('../screens/explore/paths/paths-screen.tsx'), 'PathsScreen'),
})
