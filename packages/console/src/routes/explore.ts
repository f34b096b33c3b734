import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseExploreSearch } from '../features/explore/explore-search.ts'
import { project } from './project.tsx'

export const explore = createRoute({
  getParentRoute: () => project,
  path: '/explore',
  staticData: { nav: { group: 'Experience', label: 'Explore', icon: 'explore', key: 'x' } },
  validateSearch: parseExploreSearch,
  component: lazyRouteComponent(() => import('../screens/explore/explore-screen.tsx'), 'ExploreScreen'),
})
