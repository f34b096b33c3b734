import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { toProblem } from '../../api/problem.ts'
import { setupQuery } from '../../api/setup.ts'
import { setupCode } from '../../setup-code.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { OwnerForm } from './owner-form.tsx'

export function SetupScreen() {
  const setup = useQuery(setupQuery)
  if (setup.data?.done) return <Navigate to="/" replace />
  if (setup.data) return <OwnerForm code={setupCode()} asksForPublicUrl={setup.data.asksForPublicUrl} />
  if (!setup.error) {
    return (
      <main className="mx-auto max-w-form px-gutter py-48">
        <Skeleton label="Loading" />
      </main>
    )
  }
  const problem = toProblem(setup.error)
  return (
    <Page title="The server does not respond" lead="This page continues as soon as it responds.">
      <ProblemNotice problem={problem} />
      <div>
        <Button onClick={() => void setup.refetch()}>Try again</Button>
      </div>
    </Page>
  )
}
