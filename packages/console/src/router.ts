import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { screens } from './screens.tsx'
import { FailedScreen, MissingScreen, PendingScreen } from './shell/root.tsx'

const skeletonAfter = 100

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: screens,
    context: { queryClient },
    defaultPreload: 'intent',
    // Only the query layer decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: skeletonAfter,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingScreen,
    defaultErrorComponent: FailedScreen,
    defaultNotFoundComponent: MissingScreen,
    scrollRestoration: true,
    defaultStructuralSharing: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
