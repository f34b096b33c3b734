import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Chip, printChip } from '@telltale/core/query/filter'
import { type SessionRow, sessionsQuery } from '../../api/sessions.ts'
import { useScope } from '../../shell/scope-context.ts'
import { questionOf } from '../../shell/use-question.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { countOf, lengthText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

const range = '30d'
const sessionsShown = 8

/** The user's latest sessions; the filter shows the rest. */
export function IdentitySessions({ targetingKey }: { targetingKey: string }) {
  const { project, environment } = useScope()
  const chip: Chip = {
    field: 'user',
    key: '',
    isNegated: false,
    operator: 'is',
    values: [targetingKey],
  }
  const q = printChip(chip)
  const question = questionOf({ project, env: environment.key, range }, q)
  const sessions = useInfiniteQuery(sessionsQuery({ question, sequence: '' }, 'newest'))

  return (
    <Panel
      title="Sessions"
      note="of the last 30 days"
      flush
      footer={
        <Link
          to="/p/$project/sessions"
          params={{ project }}
          search={{ q, t: range }}
          className="text-accent hover:underline"
        >
          All sessions of this user
        </Link>
      }
    >
      <Async
        of={sessions}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="px-14 py-12 text-text-2">No sessions.</p>}
      >
        {({ pages }) => (
          <ul>
            {(pages[0]?.items ?? []).slice(0, sessionsShown).map((row) => (
              <SessionLine key={row.id} row={row} q={q} />
            ))}
          </ul>
        )}
      </Async>
    </Panel>
  )
}

function SessionLine({ row, q }: { row: SessionRow; q: string }) {
  const { project } = useScope()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-8 border-line border-b px-14 py-8 last:border-b-0">
      <Link
        to="/p/$project/sessions/$session"
        params={{ project, session: row.id }}
        search={{ q, t: range }}
        className="font-medium hover:underline"
      >
        <Time at={row.startedAt} />
      </Link>
      <span className="text-text-2">{lengthText(row.length)}</span>
      <span className="truncate text-12 text-text-3">{row.exitPage}</span>
      <span className={`text-12 ${row.trouble === 0 ? 'text-text-3' : 'text-bad'}`}>
        {row.trouble === 0 ? 'no issues' : countOf(row.trouble, 'issue')}
      </span>
    </li>
  )
}
