import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { queryOnLoad } from '../../api/address-on-load.ts'
import { toProblem } from '../../api/problem.ts'
import { noteProviderDone } from '../../api/provider-tab.ts'
import { finishProviderSignIn } from '../../api/sign-in-providers.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { ClaimsTest } from './claims-test.tsx'

/** Where a provider returns to: finishes a sign-in, a test of one, or the confirmation of a session. */
export function ProviderReturnScreen() {
  const { provider } = useParams({ from: '/sign-in/callback/$provider' })
  const router = useRouter()
  const queryClient = useQueryClient()
  // A query, because it runs once however often the screen is drawn.
  const finished = useQuery({
    queryKey: ['provider-return', provider, queryOnLoad],
    queryFn: () => finishProviderSignIn({ provider, response: queryOnLoad || '?' }),
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
    meta: { asksForPassword: true },
  })
  const reply = finished.data
  const isSignedIn = reply !== undefined && reply.user !== null
  const isConfirmed = reply !== undefined && reply.user === null && reply.test === null

  // The code works once, but does not belong into the history either.
  useEffect(() => window.history.replaceState(window.history.state, '', window.location.pathname), [])
  useEffect(() => {
    if (isSignedIn || isConfirmed) noteProviderDone()
    if (isConfirmed) window.close()
    if (!isSignedIn) return
    const enter = async () => {
      queryClient.removeQueries({ queryKey: accountQuery.queryKey })
      await queryClient.fetchQuery(accountQuery)
      router.history.replace(reply?.returnTo ?? '/')
    }
    void enter()
  }, [isSignedIn, isConfirmed, reply, queryClient, router])

  if (finished.error) {
    return (
      <Page title="Sign-in failed" narrow>
        <ProblemNotice problem={toProblem(finished.error)} />
        <Button onClick={() => window.location.assign('/sign-in')}>Back to sign-in</Button>
      </Page>
    )
  }
  if (reply?.test) {
    return (
      <Page title="Test sign-in" lead="Nothing was changed. A sign-in with this account would do this.">
        <ClaimsTest test={reply.test} />
        <Link to="/admin/single-sign-on" className="text-accent underline-offset-2 hover:underline">
          Back to single sign-on
        </Link>
      </Page>
    )
  }
  if (isConfirmed) {
    return (
      <Page title="Confirmed" narrow>
        <Notice
          tone="info"
          title="Your session is confirmed"
          detail="Close this tab, and go on in the other one."
        />
        <Link to="/" className="text-accent underline-offset-2 hover:underline">
          Open Telltale here
        </Link>
      </Page>
    )
  }
  return (
    <Page title="Signing in…" narrow>
      <Skeleton rows={2} label="Signing in" />
    </Page>
  )
}
