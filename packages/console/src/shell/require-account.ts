import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { accountQuery } from '../api/accounts.ts'
import { isProblem } from '../api/problem.ts'
import { setupQuery } from '../api/setup.ts'

/** Requires a signed-in account. Others return to the same URL after signing in. */
export async function requireAccount(requested: {
  context: { queryClient: QueryClient }
  location: { href: string }
}): Promise<void> {
  const { queryClient } = requested.context
  try {
    const { secondFactorMissing } = await queryClient.ensureQueryData(accountQuery)
    const isThere = requested.location.href.startsWith('/account/second-factor')
    if (secondFactorMissing && !isThere) throw redirect({ to: '/account/second-factor', replace: true })
  } catch (error) {
    if (!isProblem(error) || !error.is('unauthenticated')) throw error
    const { done } = await queryClient.fetchQuery(setupQuery)
    if (!done) throw redirect({ to: '/setup', replace: true })
    throw redirect({
      to: '/sign-in',
      search: requested.location.href === '/' ? {} : { to: requested.location.href },
      replace: true,
    })
  }
}
