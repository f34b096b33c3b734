import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parsePageSearch, parsePagesSearch } from '../screens/pages/pages-search.ts'
import { project } from './project.tsx'

export const pages = createRoute({
  getParentRoute: () => project,
  path: '/pages',
  staticData: { nav: { group: 'Experience', label: 'Pages', icon: 'page', key: 'v' } },
  validateSearch: parsePagesSearch,
  component: lazyRouteComponent(() => import('../screens/pages/pages-screen.tsx'), 'PagesScreen'),
})

export const page = createRoute({
  getParentRoute: () => project,
  path: '/pages/$page',
  validateSearch: parsePageSearch,
  component: lazyRouteComponent(() => import('../screens/pages/page-screen.tsx'), 'PageScreen'),
})
