import { Link } from '@tanstack/react-router'
import type { LedgerRollback } from '../../api/ledger.ts'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countOf, countText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { kindWords } from './ledger-words.ts'

/** Rollouts that the guard rolled back, and the harm that this prevented so far. */
export function RollbacksPanel({ rollbacks }: { rollbacks: readonly LedgerRollback[] }) {
  if (rollbacks.length === 0)
    return (
      <Panel title="Prevented by rollbacks">
        <p className="text-text-2">The guard rolled nothing back in this month.</p>
      </Panel>
    )
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="flex flex-wrap items-baseline gap-x-8">
        <h2 className="font-strong text-14">Prevented by rollbacks</h2>
        <span className="text-12 text-text-3">users of the remaining planned stages</span>
      </div>
      <DataTable<LedgerRollback>
        label="Prevented by rollbacks"
        rows={rollbacks}
        rowId={({ rollout }) => rollout}
        rowName={({ flag, treatment }) => `${flag} = ${treatment}`}
        columns={columns}
        sorted
      />
    </section>
  )
}

const columns: readonly Column<LedgerRollback>[] = [
  {
    id: 'rollout',
    header: 'Rollout',
    fixed: true,
    card: 'title',
    width: '40%',
    cell: (rollback) => <RolloutLink rollback={rollback} />,
  },
  { id: 'prevented', header: 'Prevented', cell: (rollback) => <Prevented rollback={rollback} /> },
  {
    id: 'users',
    header: 'Users spared',
    align: 'end',
    card: 'none',
    cell: ({ prevented }) => (prevented === null ? null : countText(Math.round(prevented.spared))),
  },
  { id: 'at', header: 'Rolled back', align: 'end', card: 'aside', cell: ({ at }) => <Time at={at} /> },
]

function RolloutLink({ rollback: { rollout, flag, treatment, metric } }: { rollback: LedgerRollback }) {
  return (
    <span className="grid min-w-0">
      <Link
        from="/p/$project/ledger"
        to="/p/$project/rollouts/$rollout"
        params={{ rollout }}
        search={({ env }) => ({ env })}
        className="min-w-0 [overflow-wrap:anywhere]"
      >
        <code>{flag}</code> = <code>{treatment}</code>
      </Link>
      {metric !== null && (
        <span className="text-12 text-text-3">
          because of <code>{metric}</code>
        </span>
      )}
    </span>
  )
}

/** The lower bound first: the rest of the interval may not be true. */
function Prevented({ rollback: { prevented, kind } }: { rollback: LedgerRollback }) {
  if (prevented === null) return <span className="text-text-3">Too few users for an interval</span>
  const { lower, estimate, upper } = prevented
  const least = Math.floor(lower)
  return (
    <span className="grid">
      <span className={least > 0 ? 'font-strong' : 'text-text-2'}>
        {least > 0 ? `At least ${countOf(least, 'user')}` : 'Not shown'}
      </span>
      <span className="text-12 text-text-3">
        about {countText(Math.round(estimate))}, at most {countText(Math.ceil(upper))}
        {kind !== 'any' && `; ${kindWords[kind].toLowerCase()}`}
      </span>
    </span>
  )
}
