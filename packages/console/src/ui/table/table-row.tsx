import type { MouseEvent } from 'react'
import { Checkbox } from '../form/choice.tsx'
import { type Column, cellClass } from './column.ts'

export interface Selection {
  readonly selected: ReadonlySet<string>
  readonly onToggle: (id: string) => void
  readonly onAll: (ids: readonly string[]) => void
}

interface TableRowProps<Row> {
  row: Row
  id: string
  name: string
  index: number
  columns: readonly Column<Row>[]
  tall: boolean
  isMarked: boolean
  /** Undefined where rows are not selectable. */
  isSelected: boolean | undefined
  measure: ((row: HTMLElement | null) => void) | undefined
  onToggle: (id: string) => void
  onOpen: ((row: Row) => void) | undefined
}

const cell = 'border-line border-b px-10 wide:first:pl-14 wide:last:pr-14 max-wide:border-b-0 max-wide:p-0'

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, columns, tall, isSelected, measure, onOpen } = props

  return (
    <tr
      ref={measure}
      // biome-ignore lint/a11y/noRedundantRoles: a changed `display` removes the implicit role.
      role="row"
      data-index={index}
      data-row={id}
      tabIndex={-1}
      aria-rowindex={index + 2}
      {...(isSelected === undefined ? {} : { 'aria-selected': isSelected })}
      onClick={(event) => {
        if (onOpen && !isControl(event)) onOpen(row)
      }}
      className={`group -outline-offset-2 hover:bg-hover max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:gap-x-12 max-wide:gap-y-4 max-wide:border-line max-wide:border-b max-wide:px-14 max-wide:py-10 ${onOpen ? 'cursor-pointer' : ''} ${props.isMarked || isSelected ? 'bg-selected shadow-[inset_2px_0_0_var(--accent)]' : ''}`}
    >
      {isSelected !== undefined && (
        // biome-ignore lint/a11y/noRedundantRoles: a changed `display` removes the implicit role.
        <td role="cell" className={`w-40 ${cell} max-wide:hidden`}>
          <Checkbox
            label={`Select ${props.name}`}
            hideLabel
            checked={isSelected}
            onChecked={() => props.onToggle(id)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          // biome-ignore lint/a11y/noRedundantRoles: a changed `display` removes the implicit role.
          role="cell"
          className={`min-w-0 ${tall ? 'h-row-2' : 'h-row'} max-wide:h-auto ${cell} ${column.align === 'end' ? 'text-right max-wide:text-left' : ''} ${column.hideBelow ? `max-full:hidden ${column.card === 'none' ? '' : 'max-wide:block'}` : ''} ${cellClass[column.card ?? 'line']} ${column.onlyInCard ? 'wide:hidden' : ''}`}
        >
          {column.cell(row)}
        </td>
      ))}
      <td aria-hidden="true" className={`w-40 ${cell} max-wide:hidden`} />
    </tr>
  )
}

/** A click on an interactive element inside the row. */
function isControl(event: MouseEvent): boolean {
  const target = event.target
  return (
    !(target instanceof Element) ||
    target.closest('a, button, input, select, label, [role=menu]') !== null ||
    window.getSelection()?.type === 'Range'
  )
}
