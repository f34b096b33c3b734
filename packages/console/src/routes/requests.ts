import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseRequestSearch, parseRequestsSearch } from '../screens/requests/requests-search.ts'
import { project } from './project.tsx'

export const requests = createRoute({
  getParentRoute: () => project,
  path: '/requests',
  staticData: { nav: { group: 'Experience', label: 'Requests', icon: 'request', key: 'q' } },
  validateSearch: parseRequestsSearch,
  component: lazyRouteComponent(() => import('../screens/requests/requests-screen.tsx'), 'RequestsScreen'),
})

export const requestOfEndpoint = createRoute({
  getParentRoute: () => project,
  path: '/requests/$endpoint',
  validateSearch: parseRequestSearch,
  component: lazyRouteComponent(() => import('../screens/requests/request-screen.tsx'), 'RequestScreen'),
})
