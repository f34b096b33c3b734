import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isProblem } from './problem.ts'
import { noteSignedOut } from './session.ts'

const freshFor = 10_000
const triesAtMost = 3
const firstRetryAfter = 500
const retryAtMostAfter = 8_000

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** A 401 means a wrong password here, not that the session ended. */
      asksForPassword?: true
    }
  }
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteRefusal }),
    mutationCache: new MutationCache({
      onError: (...[error, , , mutation]) => {
        if (!mutation.meta?.asksForPassword) noteRefusal(error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: freshFor,
        retry: (failures, error) => failures < triesAtMost - 1 && mayPass(error),
        retryDelay: (failures) =>
          Math.min(firstRetryAfter * 2 ** failures, retryAtMostAfter) * (0.75 + Math.random() / 2),
        // The server often runs on this machine, so the browser's own online state is irrelevant.
        networkMode: 'always',
      },
      // Never retry a write automatically: the user decides.
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

function noteRefusal(error: unknown): void {
  if (isProblem(error) && error.is('unauthenticated')) noteSignedOut()
}

/** Possibly temporary failures. A refusal is final, no matter how often it is retried. */
function mayPass(error: unknown): boolean {
  return isProblem(error) && (error.status === 0 || error.status >= 500)
}
