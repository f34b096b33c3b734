import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseFlagsSearch } from '../screens/flags/flags-search.ts'
import { parseHistorySearch } from '../screens/flags/history/history-search.ts'
import { parseImpactSearch } from '../screens/flags/impact/impact-search.ts'
import { project } from './project.tsx'

export const flags = createRoute({
  getParentRoute: () => project,
  path: '/flags',
  staticData: { nav: { group: 'Release', label: 'Flags', icon: 'flag', key: 'f' } },
  validateSearch: parseFlagsSearch,
  component: lazyRouteComponent(() => import('../screens/flags/flags-screen.tsx'), 'FlagsScreen'),
})

export const flag = createRoute({
  getParentRoute: () => project,
  path: '/flags/$flag',
  component: lazyRouteComponent(() => import('../screens/flags/flag-screen.tsx'), 'FlagScreen'),
})

export const flagStart = createRoute({
  getParentRoute: () => flag,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$project/flags/$flag/targeting', params, replace: true })
  },
})

export const flagTargeting = createRoute({
  getParentRoute: () => flag,
  path: '/targeting',
  component: lazyRouteComponent(() => import('../screens/flags/targeting-screen.tsx'), 'TargetingScreen'),
})

export const flagImpact = createRoute({
  getParentRoute: () => flag,
  path: '/impact',
  validateSearch: parseImpactSearch,
  component: lazyRouteComponent(() => import('../screens/flags/impact/impact-tab.tsx'), 'ImpactTab'),
})

export const flagHistory = createRoute({
  getParentRoute: () => flag,
  path: '/history',
  validateSearch: parseHistorySearch,
  component: lazyRouteComponent(() => import('../screens/flags/history/history-tab.tsx'), 'HistoryTab'),
})

export const flagUsage = createRoute({
  getParentRoute: () => flag,
  path: '/usage',
  component: lazyRouteComponent(() => import('../screens/flags/usage/usage-tab.tsx'), 'UsageTab'),
})

export const flagSettings = createRoute({
  getParentRoute: () => flag,
  path: '/settings',
  component: lazyRouteComponent(() => import('../screens/flags/settings/settings-tab.tsx'), 'SettingsTab'),
})
