import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { changeRequestStates } from '@telltale/core/states/change-request'
import { parseChangesSearch, scheduledStates } from '../screens/change-requests/change-requests-search.ts'
import { parseIdentitiesSearch, parseIdentitySearch } from '../screens/identities/identities-search.ts'
import { parseLedgerSearch } from '../screens/ledger/ledger-search.ts'
import { parseRolloutsSearch } from '../screens/rollouts/rollouts-search.ts'
import { parseSegmentsSearch } from '../screens/segments/segments-search.ts'
import { project } from './project.tsx'

export const rollouts = createRoute({
  getParentRoute: () => project,
  path: '/rollouts',
  staticData: { nav: { group: 'Release', label: 'Rollouts', icon: 'rollout' } },
  validateSearch: parseRolloutsSearch,
  component: lazyRouteComponent(() => import('../screens/rollouts/rollouts-screen.tsx'), 'RolloutsScreen'),
})

export const rollout = createRoute({
  getParentRoute: () => project,
  path: '/rollouts/$rollout',
  component: lazyRouteComponent(() => import('../screens/rollouts/rollout-screen.tsx'), 'RolloutScreen'),
})

export const ledger = createRoute({
  getParentRoute: () => project,
  path: '/ledger',
  staticData: { nav: { group: 'Release', label: 'Ledger', icon: 'audit' } },
  validateSearch: parseLedgerSearch,
  component: lazyRouteComponent(() => import('../screens/ledger/ledger-screen.tsx'), 'LedgerScreen'),
})

export const segments = createRoute({
  getParentRoute: () => project,
  path: '/segments',
  staticData: { nav: { group: 'Release', label: 'Segments', icon: 'segment' } },
  validateSearch: parseSegmentsSearch,
  component: lazyRouteComponent(() => import('../screens/segments/segments-screen.tsx'), 'SegmentsScreen'),
})

export const segment = createRoute({
  getParentRoute: () => project,
  path: '/segments/$segment',
  component: lazyRouteComponent(() => import('../screens/segments/segment-screen.tsx'), 'SegmentScreen'),
})

export const identities = createRoute({
  getParentRoute: () => project,
  path: '/identities',
  staticData: { nav: { group: 'Release', label: 'Identities', icon: 'identity', key: 'i' } },
  validateSearch: parseIdentitiesSearch,
  component: lazyRouteComponent(
    () => import('../screens/identities/identities-screen.tsx'),
    'IdentitiesScreen',
  ),
})

export const identity = createRoute({
  getParentRoute: () => project,
  path: '/identities/$identity',
  validateSearch: parseIdentitySearch,
  component: lazyRouteComponent(() => import('../screens/identities/identity-screen.tsx'), 'IdentityScreen'),
})

export const changeRequests = createRoute({
  getParentRoute: () => project,
  path: '/change-requests',
  validateSearch: parseChangesSearch(changeRequestStates),
  component: lazyRouteComponent(
    () => import('../screens/change-requests/change-requests-screen.tsx'),
    'ChangeRequestsScreen',
  ),
})

export const changeRequest = createRoute({
  getParentRoute: () => project,
  path: '/change-requests/$changeRequest',
  component: lazyRouteComponent(
    () => import('../screens/change-requests/change-request-screen.tsx'),
    'ChangeRequestScreen',
  ),
})

export const scheduledChanges = createRoute({
  getParentRoute: () => project,
  path: '/scheduled-changes',
  validateSearch: parseChangesSearch(scheduledStates),
  component: lazyRouteComponent(
    () => import('../screens/change-requests/scheduled-changes-screen.tsx'),
    'ScheduledChangesScreen',
  ),
})
