import { Link } from '@tanstack/react-router'
import type { SessionRow } from '../../api/sessions.ts'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { dashAtZero, lengthText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { VitalValue } from '../../ui/text/vital-value.tsx'
import { PersonLink } from './person-link.tsx'
import { ReadVariation, splitRead } from './read-variation.tsx'
import { ReplayCell } from './replay-cell.tsx'
import { deviceName, frustrationText, many } from './session-words.ts'
import type { ListSearch } from './sessions-search.ts'
import type { VariationOrder } from './use-variation-orders.ts'

interface Shown {
  flag: string | undefined
  order: VariationOrder
  /** The opened session allows paging through the list. */
  list: ListSearch
}

const dash = <span className="text-text-3">–</span>
const vitals = [
  ['LCP', 'lcp'],
  ['INP', 'inp'],
] as const

const deviceColumn: Column<SessionRow> = {
  id: 'device',
  header: 'Device',
  width: '7.5%',
  card: 'none',
  hideBelow: 'full',
  cell: ({ device, browser }) => (
    <span className="block truncate text-text-2" title={browser}>
      {deviceName(device)}
    </span>
  ),
}

export function sessionColumns({ flag, order, list }: Shown): readonly Column<SessionRow>[] {
  return [
    {
      id: 'start',
      header: 'Start',
      card: 'title',
      width: '13.5%',
      fixed: true,
      cell: (row) => <StartCell row={row} list={list} />,
    },
    {
      id: 'who',
      header: 'User',
      width: '9.5%',
      card: 'none',
      cell: (row) => <PersonLink session={row} />,
    },
    {
      id: 'page',
      header: 'Last page',
      card: 'aside',
      cell: ({ exitPage }) => (
        <code className="block truncate text-12" title={exitPage}>
          {exitPage}
        </code>
      ),
    },
    {
      id: 'length',
      header: 'Length',
      width: '11.5%',
      align: 'end',
      card: 'none',
      cell: ({ length, views }) => (
        <span className="whitespace-nowrap">
          {lengthText(length)} <span className="text-12 text-text-3">{many(views, 'page')}</span>
        </span>
      ),
    },
    {
      id: 'replay',
      header: 'Replay',
      width: '9%',
      card: 'line',
      cell: (row) => <ReplayCell session={row} list={list} />,
    },
    ...(flag === undefined ? [] : [flagColumn(flag, order)]),
    ...vitals.map(
      ([name, member]): Column<SessionRow> => ({
        id: member,
        header: name,
        align: 'end',
        card: 'none',
        width: '7.8%',
        ...(name === 'INP' ? {} : { hideBelow: 'full' as const }),
        cell: (row) => <VitalValue name={name} value={row[member]} />,
      }),
    ),
    {
      id: 'trouble',
      header: 'Issues',
      card: 'line',
      onlyInCard: true,
      cell: (row) => <TroubleLine row={row} />,
    },
    {
      id: 'errors',
      header: 'Errors',
      align: 'end',
      card: 'none',
      width: '5.5%',
      cell: ({ errors }) =>
        errors === 0 ? dash : <strong className="font-strong">{dashAtZero(errors)}</strong>,
    },
    {
      id: 'frustration',
      header: 'Frustration',
      width: '8.5%',
      card: 'none',
      hideBelow: 'full',
      cell: (row) => <FrustrationCell row={row} />,
    },
    // With a column for a flag, there is no room for both.
    ...(flag === undefined ? [deviceColumn] : []),
  ]
}

function flagColumn(flag: string, order: VariationOrder): Column<SessionRow> {
  return {
    id: 'flag',
    header: flag,
    width: '11%',
    card: 'none',
    cell: ({ flags }) => {
      const read = flags.map(splitRead).filter(([key]) => key === flag)
      if (read.length === 0) return <span className="text-text-3">not evaluated</span>
      return (
        <span className="flex min-w-0 max-w-[20ch] flex-wrap gap-x-8">
          {read.map(([, variation]) => (
            <ReadVariation key={variation} flag={flag} variation={variation} order={order} />
          ))}
        </span>
      )
    },
  }
}

function StartCell({ row, list }: { row: SessionRow; list: ListSearch }) {
  const { project } = useScope()
  return (
    <span className="flex min-w-0 items-center gap-6">
      <span
        aria-hidden="true"
        className={`size-6 shrink-0 rounded-round ${row.running ? 'bg-ok-fill motion-safe:animate-live' : ''}`}
      />
      <Link
        to="/p/$project/sessions/$session"
        params={{ project, session: row.id }}
        search={list}
        className="whitespace-nowrap hover:underline"
      >
        <Time at={row.startedAt} />
        <span className="sr-only">
          {row.running && ', still running'}, session of {row.userKey || 'anonymous'}
        </span>
      </Link>
      <span className="min-w-0 truncate text-text-2 wide:hidden">{row.userKey || 'guest'}</span>
    </span>
  )
}

/** `3 rage, 1 dead`: the column header says "clicks". */
function FrustrationCell({ row }: { row: SessionRow }) {
  const text = frustrationText(row)
  if (text === '') return dash
  return (
    <span className="block max-w-[8ch] truncate" title={text}>
      {text.replace(/ clicks?/g, '')}
    </span>
  )
}

/** The second line of a card: problems, and how slow it was. */
function TroubleLine({ row }: { row: SessionRow }) {
  const trouble = [many(row.errors, 'error'), frustrationText(row)].filter((part) => part !== '').join(', ')
  return (
    <span className="flex flex-wrap items-center gap-x-16 text-text-2">
      {row.inp !== null && (
        <span className="inline-flex items-center gap-6">
          INP <VitalValue name="INP" value={row.inp} />
        </span>
      )}
      {trouble !== '' && <span className="text-text">{trouble}</span>}
    </span>
  )
}
