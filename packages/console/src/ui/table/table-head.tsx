import type { ReactNode } from 'react'
import { IconButton } from '../button.tsx'
import { Checkbox } from '../form/choice.tsx'
import { Icon } from '../icon.tsx'
import { Menu, MenuCheck, MenuLabel } from '../overlay/menu.tsx'
import type { Column, Sort } from './column.ts'
import type { Selection } from './table-row.tsx'

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  selection: Selection | undefined
  ids: readonly string[]
  menu: ReactNode
}

const cell =
  'sticky top-bar z-10 border-line border-b bg-surface px-10 py-6 text-left font-medium text-11 text-text-3 whitespace-nowrap first:rounded-tl-panel first:pl-14 last:rounded-tr-panel last:pr-6'

export function TableHead<Row>({ columns, sort, onSort, selection, ids, menu }: TableHeadProps<Row>) {
  const isAll = ids.length > 0 && ids.every((id) => selection?.selected.has(id))
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a changed `display` removes the implicit role.
    <thead role="rowgroup" className="max-wide:sr-only">
      {/* biome-ignore lint/a11y/noRedundantRoles: a changed `display` removes the implicit role. */}
      <tr role="row" aria-rowindex={1}>
        {selection && (
          <th scope="col" className={`w-40 ${cell}`}>
            <Checkbox
              label="Select all"
              hideLabel
              checked={isAll}
              onChecked={() => selection.onAll(isAll ? [] : ids)}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined}
            style={column.width ? { width: column.width } : undefined}
            className={`${cell} ${column.align === 'end' ? 'text-right' : ''} ${column.hideBelow ? 'max-full:hidden' : ''} ${column.onlyInCard ? 'wide:hidden' : ''}`}
          >
            <ColumnName column={column} sort={sort} onSort={onSort} />
          </th>
        ))}
        <th scope="col" className={`w-40 ${cell}`}>
          <span className="flex justify-end">{menu}</span>
        </th>
      </tr>
    </thead>
  )
}

function ColumnName<Row>(props: {
  column: Column<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}) {
  const { column, sort, onSort } = props
  if (column.hiddenHeader) return <span className="sr-only">{column.header}</span>
  if (!column.sortBy || !onSort) return column.header
  const isSorted = sort?.id === column.id

  return (
    <button
      type="button"
      onClick={() => onSort({ id: column.id, desc: isSorted && !sort.desc })}
      className={`-mx-4 inline-flex min-h-24 min-w-24 cursor-pointer items-center gap-2 rounded-chip px-4 hover:text-text ${isSorted ? 'text-text-2' : ''}`}
    >
      {column.header}
      {isSorted && <Icon name={sort.desc ? 'down' : 'up'} className="size-12" />}
    </button>
  )
}

type ColumnMenuProps<Row> = {
  columns: readonly Column<Row>[]
  hidden: readonly string[]
  onHidden: (hidden: readonly string[]) => void
}

export function ColumnMenu<Row>({ columns, hidden, onHidden }: ColumnMenuProps<Row>) {
  return (
    <Menu align="end" trigger={<IconButton icon="columns" label="Columns" small />}>
      <MenuLabel>Columns</MenuLabel>
      {columns
        .filter(({ fixed, onlyInCard }) => !fixed && !onlyInCard)
        .map(({ id, header }) => (
          <MenuCheck
            key={id}
            checked={!hidden.includes(id)}
            onChecked={(shown) => onHidden(shown ? hidden.filter((one) => one !== id) : [...hidden, id])}
          >
            {header}
          </MenuCheck>
        ))}
    </Menu>
  )
}
