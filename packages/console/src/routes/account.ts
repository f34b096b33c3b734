import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireAccount } from '../shell/require-account.ts'
import { searchParser, shortTextOf } from '../ui/search-parameters.ts'
import { root } from './root.ts'

export const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: requireAccount,
})

export const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  staticData: { section: { of: 'account', label: 'Profile' } },
  component: lazyRouteComponent(() => import('../screens/account/profile-screen.tsx'), 'ProfileScreen'),
})

export const secondFactor = createRoute({
  getParentRoute: () => account,
  path: '/second-factor',
  staticData: { section: { of: 'account', label: 'Second factor' } },
  component: lazyRouteComponent(
    () => import('../screens/account/second-factor/second-factor-screen.tsx'),
    'SecondFactorScreen',
  ),
})

export const loginSessions = createRoute({
  getParentRoute: () => account,
  path: '/sessions',
  staticData: { section: { of: 'account', label: 'Signed in' } },
  component: lazyRouteComponent(() => import('../screens/account/sessions-screen.tsx'), 'SessionsScreen'),
})

export const accountTokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  staticData: { section: { of: 'account', label: 'API tokens' } },
  component: lazyRouteComponent(
    () => import('../screens/tokens/account-tokens-screen.tsx'),
    'AccountTokensScreen',
  ),
})

export const device = createRoute({
  getParentRoute: () => account,
  path: '/device',
  validateSearch: searchParser({ code: shortTextOf }),
  component: lazyRouteComponent(() => import('../screens/tokens/device-screen.tsx'), 'DeviceScreen'),
})
