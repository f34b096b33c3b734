import { type ReactNode, useEffect } from 'react'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { startKeyboard } from '../../ui/keyboard.tsx'
import { Mark } from '../../ui/mark.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/text/time.tsx'

type SharedPageProps = { title: string; project: string; expiresAt: string; children: ReactNode }

/** What a share link shows: the mark and the content, without the console around it. */
export function SharedPage({ title, project, expiresAt, children }: SharedPageProps) {
  // The shell, which otherwise does this, is not here.
  useEffect(startKeyboard, [])
  return (
    <>
      <header className="sticky top-0 z-20 flex min-h-bar flex-wrap items-center gap-x-12 gap-y-2 border-line border-b bg-canvas px-gutter py-6">
        <Mark />
        <h1 className="min-w-0 font-strong [overflow-wrap:anywhere]">{title}</h1>
        <span className="text-text-2">{project}</span>
        <span className="ml-auto text-12 text-text-2 max-wide:ml-0 max-wide:basis-full">
          Shared read-only. The link works until <Time at={expiresAt} />
        </span>
      </header>
      <main className="grid min-w-0 content-start gap-16 px-gutter pt-16 pb-48">{children}</main>
    </>
  )
}

/** Why a link shows nothing. */
export function ClosedLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const problem = toProblem(error)
  if (problem.is('link-expired') || problem.is('not-found') || problem.is('invalid-request')) {
    return (
      <Page
        title="This link no longer works"
        lead={`${problem.is('link-expired') && problem.detail ? problem.detail : 'The link is incomplete.'} Ask the person who sent it for a new one.`}
        narrow
      />
    )
  }
  return (
    <Page title="The link could not be opened" narrow>
      <ProblemNotice problem={problem} />
      <div>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </Page>
  )
}
