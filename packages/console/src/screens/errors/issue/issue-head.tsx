import { Link } from '@tanstack/react-router'
import type { Filter } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import type { ShownIssue } from '../../../api/issues.ts'
import { useMayHere } from '../../../shell/account.ts'
import { usePaletteEntries } from '../../../shell/palette/registry.ts'
import { useScope } from '../../../shell/scope-context.ts'
import type { SearchQuestion } from '../../../shell/use-question.ts'
import { Notice } from '../../../ui/notice.tsx'
import { countText, fullCountText } from '../../../ui/text/measure-text.ts'
import { DecisionButtons } from '../decision-buttons.tsx'
import { IssueFacts } from '../issue-facts.tsx'
import { titleOf } from '../issue-words.ts'
import { LongText } from '../long-text.tsx'
import { useDeciding } from '../use-deciding.ts'
import { filterOfIssue } from './filter-of-issue.ts'

/** The head of an issue: title, decision and possible actions. */
export function IssueHead({ issue, requested }: { issue: ShownIssue; requested: SearchQuestion }) {
  const deciding = useDeciding()
  const isOpen = issue.state === 'unresolved' || issue.state === 'regressed'
  const mayDecide = useMayHere('issues.resolve')
  const { decide } = deciding
  usePaletteEntries(
    mayDecide
      ? [
          isOpen
            ? {
                id: 'resolve-issue',
                group: 'Do',
                icon: 'check' as const,
                label: 'Resolve this error',
                run: () => decide([issue], { state: 'resolved' }, 'resolved'),
              }
            : {
                id: 'reopen-issue',
                group: 'Do',
                icon: 'undo' as const,
                label: 'Reopen',
                run: () => decide([issue], { state: 'unresolved' }, 'reopened'),
              },
        ]
      : [],
  )

  return (
    <section aria-label="The issue" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
      <div className="flex min-w-0 flex-wrap items-start gap-x-24 gap-y-12">
        <div className="grid min-w-0 flex-1 basis-card grid-cols-[minmax(0,1fr)] gap-6">
          <LongText text={titleOf(issue)} lines={2} className="font-code font-strong text-14" />
          <IssueFacts issue={issue} />
        </div>
        <div className="grid gap-12 wide:justify-items-end">
          <div className="flex flex-wrap gap-8">
            <DecisionButtons issues={[issue]} deciding={deciding} />
          </div>
          <dl className="flex flex-wrap gap-x-24 gap-y-8">
            <Figure name="Events" count={issue.events} />
            <Figure name="Users" count={issue.users} />
            <Figure name="Sessions" count={issue.sessions}>
              <SessionsLink issue={issue} filter={requested.filter} />
            </Figure>
          </dl>
        </div>
      </div>
      {deciding.problem && (
        <Notice
          title={deciding.problem.title}
          detail={deciding.problem.detail}
          requestId={deciding.problem.requestId}
        />
      )}
    </section>
  )
}

function Figure({ name, count, children }: { name: string; count: number; children?: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="font-strong text-17" title={fullCountText(count)}>
        {countText(count)}
      </dd>
      {children && <dd className="text-12">{children}</dd>}
    </div>
  )
}

type SessionsLinkProps = { issue: Pick<ShownIssue, 'group'>; filter: Filter }

/** The affected sessions, with the current error filter. */
function SessionsLink({ issue, filter }: SessionsLinkProps) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={{ q: filterOfIssue(filter, issue) }}
      className="text-accent hover:underline"
    >
      Show sessions
    </Link>
  )
}
