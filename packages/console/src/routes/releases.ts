import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import {
  parseCompareSearch,
  parseReleaseSearch,
  parseReleasesSearch,
} from '../screens/releases/releases-search.ts'
import { project } from './project.tsx'

export const releases = createRoute({
  getParentRoute: () => project,
  path: '/releases',
  staticData: { nav: { group: 'Experience', label: 'Releases', icon: 'release', key: 'r' } },
  validateSearch: parseReleasesSearch,
  component: lazyRouteComponent(() => import('../screens/releases/releases-screen.tsx'), 'ReleasesScreen'),
})

export const release = createRoute({
  getParentRoute: () => project,
  path: '/releases/$version',
  validateSearch: parseReleaseSearch,
  component: lazyRouteComponent(() => import('../screens/releases/release-screen.tsx'), 'ReleaseScreen'),
})

/** Before a release with this name: a version is a number. */
export const compareReleases = createRoute({
  getParentRoute: () => project,
  path: '/releases/compare',
  validateSearch: parseCompareSearch,
  component: lazyRouteComponent(() => import('../screens/releases/compare-screen.tsx'), 'CompareScreen'),
})
