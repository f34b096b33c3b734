import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { issueQuery } from '../../api/issues.ts'
import { newIssuesQuery, type SeenIssue } from '../../api/overview.ts'
import type { Question } from '../../api/question.ts'
import { FlagTelltale } from '../../features/telltale/flag-telltale.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

const rowsShown = 5

/** Errors first seen in this period. */
export function NewErrorsPanel({ question }: { question: Question }) {
  const errors = useQuery(newIssuesQuery(question))
  const all = (
    <Link from="/p/$project" to="/p/$project/errors" className="text-accent hover:underline">
      All errors
    </Link>
  )
  return (
    <Panel title="New errors" actions={all} flush>
      <Async
        of={errors}
        loading={<Skeleton rows={rowsShown} />}
        isEmpty={({ fresh }) => fresh.length === 0}
        empty={
          errors.data?.hasAny === false ? (
            <Empty title="No errors">No open error occurred in this period.</Empty>
          ) : (
            <Empty title="No new errors">Every error in this period was known before.</Empty>
          )
        }
      >
        {({ fresh }) => (
          <PlainTable
            label="New errors, most sessions first"
            rows={fresh.slice(0, rowsShown)}
            rowId={({ id }) => id}
            columns={columnsOf(question)}
          />
        )}
      </Async>
    </Panel>
  )
}

const columnsOf = (question: Question): readonly Column<SeenIssue>[] => [
  {
    id: 'error',
    header: 'Error',
    cell: (issue) => (
      <Link
        from="/p/$project"
        to="/p/$project/errors/$issue"
        params={{ issue: issue.id }}
        title={errorText(issue)}
        className="block truncate font-code text-12 hover:underline"
      >
        {errorText(issue)}
      </Link>
    ),
  },
  { id: 'sessions', header: 'Sessions', align: 'end', cell: ({ sessions }) => countText(sessions) },
  { id: 'flag', header: 'Suspect', cell: ({ id }) => <LinkedFlag issue={id} question={question} /> },
  {
    id: 'first',
    header: 'First',
    cell: ({ firstSeenAt }) => (
      <span className="text-text-2">
        <Time at={firstSeenAt} />
      </span>
    ),
  },
]

export function errorText({ type, message }: Pick<SeenIssue, 'type' | 'message'>): string {
  return [type, message].filter((part) => part !== '').join(': ') || 'Error without a message'
}

/** The variation in which an error is most frequent, if that is significant. Does not claim a cause. */
function LinkedFlag({ issue, question }: { issue: string; question: Question }) {
  const { project } = useScope()
  const { data: found, error } = useQuery(issueQuery(question, issue))
  if (error) return <span className="text-text-3">unknown</span>
  if (!found) return <span className="text-text-3">…</span>
  const [strongest] = found.lifts
  if (!strongest) return <span className="text-text-3">no suspects</span>
  const text = `${strongest.flag} = ${strongest.variation}`
  return (
    <span className="flex items-center gap-4">
      <Link
        to="/p/$project/flags/$flag"
        params={{ project, flag: strongest.flag }}
        title={text}
        className="block max-w-menu truncate font-code text-12 text-accent hover:underline"
      >
        {text}
      </Link>
      <FlagTelltale flag={strongest.flag} look="mark" />
    </span>
  )
}
