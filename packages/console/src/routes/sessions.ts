import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { prefetchSession } from '../screens/sessions/prefetch-session.ts'
import {
  parseSessionSearch,
  parseSessionsSearch,
  parseSimilarSearch,
} from '../screens/sessions/sessions-search.ts'
import { project } from './project.tsx'
import { root } from './root.ts'

export const sessions = createRoute({
  getParentRoute: () => project,
  path: '/sessions',
  staticData: { nav: { group: 'Experience', label: 'Sessions', icon: 'session', key: 's' } },
  validateSearch: parseSessionsSearch,
  component: lazyRouteComponent(() => import('../screens/sessions/sessions-screen.tsx'), 'SessionsScreen'),
})

export const session = createRoute({
  getParentRoute: () => project,
  path: '/sessions/$session',
  validateSearch: parseSessionSearch,
  loaderDeps: ({ search: { env } }: { search: { env?: string | undefined } }) => ({ env }),
  loader({ context, params, deps, cause }) {
    // A pointer over a list passes many links.
    if (cause === 'preload') return
    void prefetchSession(context.queryClient, { ...params, ...deps })
  },
  component: lazyRouteComponent(() => import('../screens/sessions/session-screen.tsx'), 'SessionScreen'),
})

export const similarSession = createRoute({
  getParentRoute: () => project,
  path: '/sessions/$session/similar',
  validateSearch: parseSimilarSearch,
  component: lazyRouteComponent(
    () => import('../screens/sessions/similar/similar-session-screen.tsx'),
    'SimilarSessionScreen',
  ),
})

/** For people outside, with the token of the link in the fragment. */
export const sharedSession = createRoute({
  getParentRoute: () => root,
  path: '/shared/session',
  staticData: { isPublic: true },
  component: lazyRouteComponent(
    () => import('../screens/sessions/shared/shared-session-screen.tsx'),
    'SharedSessionScreen',
  ),
})
