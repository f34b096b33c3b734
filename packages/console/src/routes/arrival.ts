import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signInOptionsQuery } from '../api/sign-in-providers.ts'
import { requireAccount } from '../shell/require-account.ts'
import { searchParser, trueOf } from '../ui/search-parameters.ts'
import { textOf } from '../ui/text/text-of.ts'
import { root } from './root.ts'

export const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  staticData: { isPublic: true },
  component: lazyRouteComponent(() => import('../screens/setup/setup-screen.tsx'), 'SetupScreen'),
})

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  staticData: { isPublic: true },
  validateSearch: searchParser({ to: ownAddressOf }),
  // Loaded first, so that the form does not jump; without it the password still works.
  loader: ({ context }) => context.queryClient.prefetchQuery(signInOptionsQuery),
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

export const providerReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback/$provider',
  staticData: { isPublic: true },
  component: lazyRouteComponent(
    () => import('../screens/sign-in/provider-return-screen.tsx'),
    'ProviderReturnScreen',
  ),
})

export const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  staticData: { isPublic: true },
  validateSearch: searchParser({ token: textOf }),
  component: lazyRouteComponent(
    () => import('../screens/password-reset/password-reset-screen.tsx'),
    'PasswordResetScreen',
  ),
})

export const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  staticData: { isPublic: true },
  component: lazyRouteComponent(() => import('../screens/invite/invite-screen.tsx'), 'InviteScreen'),
})

/** Links of earlier versions had the token in the path. */
export const inviteOfPath = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  staticData: { isPublic: true },
  component: lazyRouteComponent(() => import('../screens/invite/invite-screen.tsx'), 'InviteScreen'),
})

export const projects = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: searchParser({ new: trueOf }),
  beforeLoad: requireAccount,
  component: lazyRouteComponent(() => import('../screens/projects/projects-screen.tsx'), 'ProjectsScreen'),
})

/** Only redirects into the console, never to another site. */
function ownAddressOf(to: unknown): string | undefined {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined
}
