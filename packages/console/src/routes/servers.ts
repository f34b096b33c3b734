import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseLogsSearch } from '../screens/logs/logs-search.ts'
import { parseServiceSearch, parseServicesSearch } from '../screens/services/services-search.ts'
import { parseTraceSearch, parseTracesSearch } from '../screens/traces/traces-search.ts'
import { project } from './project.tsx'

export const services = createRoute({
  getParentRoute: () => project,
  path: '/services',
  staticData: { nav: { group: 'Servers', label: 'Services', icon: 'service', key: 'k' } },
  validateSearch: parseServicesSearch,
  component: lazyRouteComponent(() => import('../screens/services/services-screen.tsx'), 'ServicesScreen'),
})

export const service = createRoute({
  getParentRoute: () => project,
  path: '/services/$service',
  validateSearch: parseServiceSearch,
  component: lazyRouteComponent(() => import('../screens/services/service-screen.tsx'), 'ServiceScreen'),
})

export const traces = createRoute({
  getParentRoute: () => project,
  path: '/traces',
  staticData: { nav: { group: 'Servers', label: 'Traces', icon: 'trace', key: 't' } },
  validateSearch: parseTracesSearch,
  component: lazyRouteComponent(() => import('../screens/traces/traces-screen.tsx'), 'TracesScreen'),
})

export const trace = createRoute({
  getParentRoute: () => project,
  path: '/traces/$trace',
  validateSearch: parseTraceSearch,
  component: lazyRouteComponent(() => import('../screens/traces/trace-screen.tsx'), 'TraceScreen'),
})

export const logs = createRoute({
  getParentRoute: () => project,
  path: '/logs',
  staticData: { nav: { group: 'Servers', label: 'Logs', icon: 'log' } },
  validateSearch: parseLogsSearch,
  component: lazyRouteComponent(() => import('../screens/logs/logs-screen.tsx'), 'LogsScreen'),
})
