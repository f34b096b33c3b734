import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { parseUsageSearch } from '../features/usage/usage-search.ts'
import { parseAuditSearch } from '../screens/audit/audit-search.ts'
import { requireAccount } from '../shell/require-account.ts'
import { searchParser, trueOf } from '../ui/search-parameters.ts'
import { textOf } from '../ui/text/text-of.ts'
import { root } from './root.ts'

export const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: requireAccount,
})

export const adminStart = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/installation', replace: true })
  },
})

export const installation = createRoute({
  getParentRoute: () => admin,
  path: '/installation',
  staticData: { section: { of: 'admin', label: 'Health and storage' } },
  component: lazyRouteComponent(
    () => import('../screens/admin/installation-screen.tsx'),
    'InstallationScreen',
  ),
})

export const installationUsage = createRoute({
  getParentRoute: () => admin,
  path: '/usage',
  staticData: { section: { of: 'admin', label: 'Usage' } },
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('../screens/admin/usage-screen.tsx'), 'InstallationUsageScreen'),
})

export const users = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  staticData: { section: { of: 'admin', label: 'Users' } },
  validateSearch: searchParser({ q: textOf }),
  component: lazyRouteComponent(() => import('../screens/admin/users-screen.tsx'), 'UsersScreen'),
})

export const teams = createRoute({
  getParentRoute: () => admin,
  path: '/teams',
  staticData: { section: { of: 'admin', label: 'Teams' } },
  validateSearch: searchParser({ q: textOf, new: trueOf }),
  component: lazyRouteComponent(() => import('../screens/admin/teams/teams-screen.tsx'), 'TeamsScreen'),
})

export const team = createRoute({
  getParentRoute: () => admin,
  path: '/teams/$team',
  validateSearch: searchParser({ q: textOf, add: trueOf }),
  component: lazyRouteComponent(() => import('../screens/admin/teams/team-screen.tsx'), 'TeamScreen'),
})

export const singleSignOn = createRoute({
  getParentRoute: () => admin,
  path: '/single-sign-on',
  staticData: { section: { of: 'admin', label: 'Single sign-on' } },
  component: lazyRouteComponent(
    () => import('../screens/admin/single-sign-on/single-sign-on-screen.tsx'),
    'SingleSignOnScreen',
  ),
})

export const installationAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  staticData: { section: { of: 'admin', label: 'Audit log' } },
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(
    () => import('../screens/audit/installation-audit-screen.tsx'),
    'InstallationAuditScreen',
  ),
})
