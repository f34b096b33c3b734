import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseNewAlertSearch } from '../screens/alerts/alert-search.ts'
import { project } from './project.tsx'

export const alerts = createRoute({
  getParentRoute: () => project,
  path: '/alerts',
  staticData: { nav: { group: 'Operate', label: 'Alerts', icon: 'alert', key: 'a' } },
  component: lazyRouteComponent(() => import('../screens/alerts/alerts-screen.tsx'), 'AlertsScreen'),
})

export const newAlert = createRoute({
  getParentRoute: () => project,
  path: '/alerts/new',
  validateSearch: parseNewAlertSearch,
  component: lazyRouteComponent(() => import('../screens/alerts/new-alert-screen.tsx'), 'NewAlertScreen'),
})

export const alert = createRoute({
  getParentRoute: () => project,
  path: '/alerts/$alert',
  component: lazyRouteComponent(() => import('../screens/alerts/alert-screen.tsx'), 'AlertScreen'),
})

export const editAlert = createRoute({
  getParentRoute: () => project,
  path: '/alerts/$alert/edit',
  component: lazyRouteComponent(() => import('../screens/alerts/edit-alert-screen.tsx'), 'EditAlertScreen'),
})
