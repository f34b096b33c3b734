import { type FocusEvent, Fragment, memo, type RefObject, useCallback, useRef, useState } from 'react'
import type { Column } from './column.ts'
import { type Selection, TableRow } from './table-row.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'

interface TableBodyProps<Row> {
  body: RefObject<HTMLTableSectionElement | null>
  rows: readonly Row[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  columns: readonly Column<Row>[]
  tall: boolean
  current: number
  peeked: string | undefined
  selection: Selection | undefined
  onOpen: ((row: Row) => void) | undefined
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
}

/** The rows. Scrolling rerenders only this and the rows that become visible. */
export function TableBody<Row>(props: TableBodyProps<Row>) {
  const { body, rows, rowId, columns, tall, current, selection } = props
  const virtual = useVirtualRows({ count: rows.length, kept: current, tall, body })
  const [MemoRow] = useState(() => memo(TableRow<Row>))

  // Referentially stable functions: a row rerenders only when its own data changes.
  const latest = useRef(props)
  latest.current = props
  const open = useCallback((row: Row) => latest.current.onOpen?.(row), [])
  const toggle = useCallback((id: string) => latest.current.selection?.onToggle(id), [])

  return (
    <tbody
      ref={body}
      // biome-ignore lint/a11y/noRedundantRoles: a changed `display` removes the implicit role.
      role="rowgroup"
      className="[overflow-anchor:none] max-wide:block wide:[&_:is(a,button,[tabindex])]:scroll-mt-[84px]"
      onFocus={props.onFocus}
      onBlur={props.onBlur}
    >
      {virtual.drawn.map(({ index, before }) => {
        const row = rows[index]
        if (row === undefined) return null
        const id = rowId(row)
        return (
          <Fragment key={id}>
            <Spacer height={before} />
            <MemoRow
              measure={virtual.measure}
              row={row}
              id={id}
              name={props.rowName(row)}
              index={index}
              columns={columns}
              tall={tall}
              isMarked={props.peeked === id || current === index}
              isSelected={selection?.selected.has(id)}
              onToggle={toggle}
              onOpen={props.onOpen && open}
            />
          </Fragment>
        )
      })}
      <Spacer height={virtual.after} />
    </tbody>
  )
}

/** Placeholder for the rows that are not rendered. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus.
    <tr aria-hidden="true" className="max-wide:block">
      {/* One cell: a wider span would add empty columns for those hidden at this width. */}
      <td className="p-0 max-wide:block" style={{ height }} />
    </tr>
  )
}
