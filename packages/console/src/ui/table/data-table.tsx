import { type ReactNode, useRef } from 'react'
import type { Column, Sort } from './column.ts'
import { LoadMore, type MorePages } from './load-more.tsx'
import { TableBody } from './table-body.tsx'
import { ColumnMenu, TableHead } from './table-head.tsx'
import type { Selection } from './table-row.tsx'
import { useColumns } from './use-columns.ts'
import { useRowKeys } from './use-row-keys.ts'
import { drawnWhole } from './use-virtual-rows.ts'

interface DataTableProps<Row> {
  /** The accessible name of the table: `Flags`. */
  label: string
  rows: readonly Row[]
  /** The total, when more can be loaded. */
  total?: number
  rowId: (row: Row) => string
  /** The row's name for its checkbox. Default: its id. */
  rowName?: (row: Row) => string
  /** Should be referentially stable when there are many rows. */
  columns: readonly Column<Row>[]
  /** From the URL. */
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** The server returns the rows sorted. */
  sorted?: boolean
  /** `enter`, or a click beside the link. Each row has one link, in its title. */
  onOpen?: (row: Row) => void
  /** `space`. */
  onPeek?: (row: Row) => void
  /** The row whose detail is open beside the list. */
  peeked?: string | undefined
  selection?: Selection
  more?: MorePages
  /** Two lines per row. */
  tall?: boolean
  footer?: ReactNode
}

/** A table with a sticky header; a list of cards below 720 px; virtualised above fifty rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, rowId, columns, sort, onSort, sorted = false, selection, tall = true } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const table = useColumns({ rows, columns, sort, sorted, name: label })
  const shown = table.rows
  const keys = useRowKeys({ ...props, rows: shown, body })

  return (
    <div className="min-w-0 rounded-panel border border-line bg-surface">
      <div className="flex items-center justify-end gap-8 px-6 py-2 wide:hidden">
        <ColumnMenu columns={columns} hidden={table.hidden} onHidden={table.setHidden} />
      </div>
      <table
        role={selection ? 'grid' : 'table'}
        aria-label={label}
        aria-rowcount={rowCount(props)}
        className={`w-full border-separate border-spacing-0 max-wide:block ${shown.length > drawnWhole ? 'table-fixed' : ''}`}
      >
        <TableHead
          columns={table.columns}
          sort={sort}
          onSort={onSort}
          selection={selection}
          ids={selection ? shown.map(rowId) : []}
          menu={<ColumnMenu columns={columns} hidden={table.hidden} onHidden={table.setHidden} />}
        />
        <TableBody
          body={body}
          rows={shown}
          rowId={rowId}
          rowName={props.rowName ?? rowId}
          columns={table.columns}
          tall={tall}
          current={keys.current}
          peeked={props.peeked}
          selection={selection}
          onOpen={props.onOpen}
          onFocus={keys.onFocus}
          onBlur={keys.onBlur}
        />
      </table>
      {props.more && <LoadMore of={props.more} />}
      {props.footer && (
        <div className="border-line border-t px-14 py-8 text-12 text-text-2">{props.footer}</div>
      )}
    </div>
  )
}

/** Includes the header. −1 means an unknown count, while there are further pages. */
function rowCount<Row>({ rows, total, more }: DataTableProps<Row>): number {
  if (total !== undefined) return total + 1
  return more?.hasNextPage ? -1 : rows.length + 1
}
