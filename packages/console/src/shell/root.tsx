import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  type ErrorComponentProps,
  Link,
  Outlet,
  useMatches,
  useParams,
  useRouter,
} from '@tanstack/react-router'
import { accountQuery } from '../api/accounts.ts'
import { toProblem } from '../api/problem.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { Toasts } from '../ui/overlay/toast.tsx'
import { TooltipProvider } from '../ui/overlay/tooltip.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Skeleton } from '../ui/states.tsx'
import { Screen } from './screen.tsx'
import { Shell } from './shell.tsx'

export interface RouterContext {
  queryClient: QueryClient
}

/** The root of every route: the shell, except without a signed-in account. */
export function Root() {
  const matches = useMatches()
  const isPublic = matches.some(({ staticData }) => staticData.isPublic)
  const isKnown = matches.every(({ status }) => status !== 'error' && status !== 'notFound')
  // The shell queries the account; until the route has resolved it, another request would only fail in its
  // place.
  const isSomebody = useQueryClient().getQueryData(accountQuery.queryKey) !== undefined
  const isReady = matches.length > 1 && isKnown && isSomebody

  return (
    <TooltipProvider>
      {isPublic || !isReady ? (
        <Outlet />
      ) : (
        <Shell>
          <Outlet />
        </Shell>
      )}
      <Toasts />
    </TooltipProvider>
  )
}

/** A screen that is still loading. */
export function PendingScreen() {
  return (
    <div className="px-gutter pt-48">
      <Skeleton rows={8} />
    </div>
  )
}

/** The last error boundary: the server is unreachable at the start, or the console itself failed. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const problem = toProblem(error)
  return (
    <Page title="The console crashed" lead="The page loads as soon as the server responds.">
      <ProblemNotice problem={problem} />
      <div>
        <Button
          onClick={() => {
            reset()
            void router.invalidate()
          }}
        >
          Try again
        </Button>
      </div>
    </Page>
  )
}

export function MissingScreen() {
  const { project: key } = useParams({ strict: false })
  // There may be no signed-in account here.
  const account = useQueryClient().getQueryData(accountQuery.queryKey)
  const project = account?.projects.find((one) => one.key === key)
  return (
    <Screen title="Not found" scope="none">
      <Empty
        title="Page not found"
        action={
          <span className="flex flex-wrap justify-center gap-8">
            {project && (
              <Link
                to="/p/$project"
                params={{ project: project.key }}
                search={{}}
                className={buttonClass('primary')}
              >
                Overview of {project.name}
              </Link>
            )}
            <Link to="/" className={buttonClass()}>
              All projects
            </Link>
          </span>
        }
      >
        It may have been deleted, or the link is incomplete.
      </Empty>
    </Screen>
  )
}
