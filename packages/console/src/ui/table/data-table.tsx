import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { LoadMore, type MorePages } from '../load-more.tsx'
import { type Column, cellClass, type Sort } from './column.ts'
import { ColumnMenu, TableHead } from './table-head.tsx'
import { type Selection, TableRow } from './table-row.tsx'
import { useColumns } from './use-columns.ts'
import { useRowKeys } from './use-row-keys.ts'

const virtualAbove = 200
const rowHeight = 48
const overscan = 12

export interface DataTableProps<Row> {
  /** What the rows are, for readers: `Flags`. */
  label: string
  rows: readonly Row[]
  /** All there are, when more can be loaded. */
  total?: number
  rowId: (row: Row) => string
  columns: readonly Column<Row>[]
  /** From the address. */
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** The rows come in the right order from the server. */
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

/** A table with a sticky head; a list of cards below 720 px; only what is seen is in the page above 200 rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, rowId, columns, sort, onSort, sorted = false, selection, tall = true } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const table = useColumns({ rows, rowId, columns, sort, sorted, name: label })
  const shown = table.rows
  const isVirtual = shown.length > virtualAbove
  const virtual = useVirtualRows({ count: shown.length, isVirtual, body, tall })
  const { current, setCurrent } = useRowKeys({ ...props, rows: shown, reveal: virtual.reveal, body })

  return (
    <div className="min-w-0 rounded-panel border border-line bg-surface">
      <div className="flex items-center justify-end gap-8 px-6 py-2 wide:hidden">
        <ColumnMenu columns={columns} hidden={table.hidden} onHidden={table.setHidden} />
      </div>
      <table
        role={selection ? 'grid' : 'table'}
        aria-label={label}
        aria-rowcount={(props.total ?? shown.length) + 1}
        className={`w-full border-separate border-spacing-0 max-wide:block ${isVirtual ? 'table-fixed' : ''}`}
      >
        <TableHead
          columns={table.columns}
          sort={sort}
          onSort={onSort}
          selection={selection}
          ids={shown.map(rowId)}
          menu={<ColumnMenu columns={columns} hidden={table.hidden} onHidden={table.setHidden} />}
        />
        {/* biome-ignore lint/a11y/noRedundantRoles: lost with the display of a table. */}
        <tbody ref={body} role="rowgroup" className="max-wide:block">
          <Spacer height={virtual.before} span={table.columns.length + 2} />
          {virtual.indexes.map((index) => {
            const row = shown[index]
            if (row === undefined) return null
            const id = rowId(row)
            return (
              <TableRow
                key={id}
                measure={isVirtual ? virtual.measure : undefined}
                row={row}
                id={id}
                index={index}
                columns={table.columns}
                tall={tall}
                isMarked={props.peeked === id}
                isCurrent={current === id}
                selection={selection}
                onCurrent={setCurrent}
                onOpen={props.onOpen}
              />
            )
          })}
          <Spacer height={virtual.after} span={table.columns.length + 2} />
        </tbody>
      </table>
      {props.more && <LoadMore of={props.more} />}
      {props.footer && (
        <div className="border-line border-t px-14 py-8 text-12 text-text-2">{props.footer}</div>
      )}
    </div>
  )
}

/** Stands for the rows that are not in the page. */
function Spacer({ height, span }: { height: number; span: number }) {
  if (height === 0) return null
  return (
    <tr className="max-wide:block">
      <td colSpan={span} className={cellClass.line} style={{ height, padding: 0 }} />
    </tr>
  )
}

interface VirtualRows {
  indexes: number[]
  before: number
  after: number
  measure: (row: HTMLElement | null) => void
  reveal: (index: number) => void
}

function useVirtualRows(list: {
  count: number
  isVirtual: boolean
  body: React.RefObject<HTMLElement | null>
  tall: boolean
}): VirtualRows {
  const { count, isVirtual, body, tall } = list
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const element = body.current
    if (element) setOffset(element.getBoundingClientRect().top + window.scrollY)
  }, [body])

  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => (tall ? rowHeight : rowHeight - 12),
    overscan,
    scrollMargin: offset,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const every = useMemo(() => Array.from({ length: count }, (_, index) => index), [count])
  const reveal = useCallback(
    (index: number) => {
      if (isVirtual) virtualizer.scrollToIndex(index, { align: 'auto' })
    },
    [isVirtual, virtualizer],
  )

  if (!isVirtual) return { indexes: every, before: 0, after: 0, measure: () => undefined, reveal }
  return {
    indexes: items.map(({ index }) => index),
    before: first ? first.start - offset : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - offset) : 0,
    measure: virtualizer.measureElement,
    reveal,
  }
}
