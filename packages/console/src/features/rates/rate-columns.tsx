// Columns of tables of requests, whether browsers, services or operations report them.

import type { Column } from '../../ui/table/column.ts'
import { countText } from '../../ui/text/measure-text.ts'
import { Duration } from './duration.tsx'
import { FailedShare } from './failed-share.tsx'

export function numberColumn<Row>(column: Column<Row>): Column<Row> {
  return { align: 'end', width: '10ch', ...column }
}

/** For tables in the order of the server. */
export function unsortable<Row>({ sortBy: _, ...column }: Column<Row>): Column<Row> {
  return column
}

type More<Row> = Partial<Column<Row>>

export function countColumn<Row>(
  id: string,
  countOf: (row: Row) => number,
  more: More<Row> = {},
): Column<Row> {
  return numberColumn({
    id,
    header: 'Requests',
    card: 'aside',
    sortBy: countOf,
    cell: (row) => (
      <>
        {countText(countOf(row))}
        <span className="text-12 text-text-3 wide:sr-only">
          {countOf(row) === 1 ? ' request' : ' requests'}
        </span>
      </>
    ),
    ...more,
  })
}

interface Failing {
  failed: number
  failedShare: number | null
}

export function failedColumn<Row extends Failing>(id: string, more: More<Row> = {}): Column<Row> {
  return numberColumn({
    id,
    header: 'Failed',
    sortBy: ({ failedShare }) => failedShare,
    cell: ({ failed, failedShare }) => <FailedShare failed={failed} share={failedShare} />,
    ...more,
  })
}

type Level = 'p50' | 'p75' | 'p95' | 'p99'

interface PercentileColumn<Row, Name extends Level> extends More<Row> {
  level: Name
  countOf: (row: Row) => number
}

/** Named on cards, which have no headers. */
export function percentileColumn<Name extends Level, Row extends Record<Name, number | null>>({
  level,
  countOf,
  ...more
}: PercentileColumn<Row, Name>): Column<Row> {
  return numberColumn({
    id: level,
    header: level,
    sortBy: (row) => row[level],
    cell: (row) => (
      <Duration value={row[level]} of={countOf(row)} {...(more.card === 'none' ? {} : { label: level })} />
    ),
    ...more,
  })
}
