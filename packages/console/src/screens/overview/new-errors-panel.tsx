import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { newIssuesQuery, type SeenIssue } from '../../api/overview.ts'
import type { Question } from '../../api/question.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { LinkedFlag } from './linked-flag.tsx'

const rowsShown = 5

/** Errors that were not seen before this time. */
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
