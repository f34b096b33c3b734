import { Link } from '@tanstack/react-router'
import type { HarmKind } from '@telltale/core/guard/ledger/ledger-counts'
import type { LedgerEntry } from '../../api/ledger.ts'
import { ChangeInterval } from '../../charts/change-interval.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { boundsText, harmText, missingText, signed, verdictOf } from './ledger-words.ts'

type LedgerTableProps = { entries: readonly LedgerEntry[]; kind: HarmKind }

/** One row per variation, with its excess affected users. */
export function LedgerTable({ entries, kind }: LedgerTableProps) {
  const reach = reachOf(entries, kind)
  if (entries.length === 0)
    return (
      <Panel title="Excess affected users">
        <p className="text-text-2">No split served two variations in this month.</p>
      </Panel>
    )
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="flex flex-wrap items-baseline gap-x-8">
        <h2 className="font-strong text-14">Excess affected users</h2>
        <span className="text-12 text-text-3">compared with the control of each split</span>
      </div>
      <DataTable<LedgerEntry>
        label="Excess affected users"
        rows={entries}
        rowId={({ split, variation }) => `${split} ${variation}`}
        rowName={({ flag, variation }) => `${flag} = ${variation}`}
        columns={columnsOf(kind, reach)}
        sorted
      />
    </section>
  )
}

const columnsOf = (kind: HarmKind, reach: number): readonly Column<LedgerEntry>[] => [
  {
    id: 'flag',
    header: 'Flag',
    fixed: true,
    card: 'title',
    width: '30%',
    cell: (entry) => <FlagCell entry={entry} />,
  },
  { id: 'harm', header: 'Result', cell: (entry) => <HarmCell entry={entry} kind={kind} /> },
  {
    id: 'interval',
    header: `Users, −${countText(reach)} to +${countText(reach)}`,
    width: '220px',
    cell: (entry) => <IntervalCell entry={entry} kind={kind} reach={reach} />,
  },
  {
    id: 'confirmed',
    header: 'Confirmed',
    align: 'end',
    width: '110px',
    card: 'aside',
    cell: ({ harm }) => {
      const found = harm[kind]
      if (found === null) return null
      return (
        <span className="tabular-nums">
          {countText(Math.floor(found.confirmed))} <span className="wide:hidden">confirmed</span>
        </span>
      )
    },
  },
]

function FlagCell({ entry }: { entry: LedgerEntry }) {
  const { flag, variation, together, by } = entry
  return (
    <span className="grid min-w-0 gap-8 py-4">
      <FlagLink flag={flag} variation={variation} />
      {together.map((other) => (
        <span key={`${other.split} ${other.variation}`} className="text-12 text-text-2">
          together with <FlagLink flag={other.flag} variation={other.variation} />
        </span>
      ))}
      {by !== 'targetingKey' && <span className="text-12 text-text-3">counted by {by}</span>}
    </span>
  )
}

function FlagLink({ flag, variation }: { flag: string; variation: string }) {
  return (
    <Link
      from="/p/$project/ledger"
      to="/p/$project/flags/$flag/impact"
      params={{ flag }}
      search={({ env }) => ({ env })}
      className="min-w-0 [overflow-wrap:anywhere]"
    >
      <code>{flag}</code> = <code>{variation}</code>
    </Link>
  )
}

const tones = { more: 'font-strong text-bad', less: 'text-ok', same: 'text-text-2' }

function HarmCell({ entry, kind }: { entry: LedgerEntry; kind: HarmKind }) {
  const harm = entry.harm[kind]
  if (harm === null) return <span className="text-text-3">{missingText(entry, kind)}</span>
  return (
    <span className="grid whitespace-normal">
      <span className={tones[verdictOf(harm)]}>{harmText(harm)}</span>
      <span className="text-12 text-text-3">
        {countText(harm.affected)} of {countText(entry.users)} affected; control{' '}
        {countText(harm.controlAffected)} of {countText(entry.controlUsers)}
        {verdictOf(harm) === 'more' && <ErrorsLink entry={entry} kind={kind} />}
      </span>
    </span>
  )
}

/** The issues of users with the variation. */
function ErrorsLink({ entry, kind }: { entry: LedgerEntry; kind: HarmKind }) {
  if (kind !== 'any' && kind !== 'error') return null
  return (
    <>
      {' · '}
      <Link
        from="/p/$project/ledger"
        to="/p/$project/errors"
        search={({ env }) => ({ env, q: `flag:${entry.flag}=${entry.variation}`, state: 'all' as const })}
      >
        Errors
      </Link>
    </>
  )
}

function IntervalCell({ entry, kind, reach }: { entry: LedgerEntry; kind: HarmKind; reach: number }) {
  const harm = entry.harm[kind]
  if (harm === null) return null
  return (
    <span className="grid py-2">
      <ChangeInterval
        change={harm.estimate}
        lower={harm.lower}
        upper={harm.upper}
        reach={reach}
        label={`${entry.flag} ${entry.variation}: ${signed(harm.estimate)}, ${boundsText(harm)}`}
        tone={verdictOf(harm)}
      />
      <span className="text-12 text-text-2 tabular-nums">
        {signed(harm.estimate)} <span className="text-text-3">({boundsText(harm)})</span>
      </span>
    </span>
  )
}

/** Wide enough for most intervals; wider ones are cut at the edge. */
function reachOf(entries: readonly LedgerEntry[], kind: HarmKind): number {
  const ends = entries
    .flatMap(({ harm }) => harm[kind] ?? [])
    .map(({ lower, upper }) => Math.max(Math.abs(lower), Math.abs(upper)))
    .toSorted((one, other) => one - other)
  const most = ends[Math.floor(ends.length * 0.75)] ?? 1
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return Math.max(1, Math.ceil(most / step) * step)
}
