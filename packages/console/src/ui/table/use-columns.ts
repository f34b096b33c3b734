import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { type Column, compareValues, type Sort } from './column.ts'

const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
})

interface Asked<Row> {
  rows: readonly Row[]
  rowId: (row: Row) => string
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  /** In order already. */
  sorted: boolean
  /** Under which the hidden columns are remembered. */
  name: string
}

interface Shown<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  hidden: readonly string[]
  setHidden: (hidden: readonly string[]) => void
}

/** Order of the rows and choice of the columns. What somebody hid stays hidden in this browser. */
export function useColumns<Row>({ rows, rowId, columns, sort, sorted, name }: Asked<Row>): Shown<Row> {
  const storageKey = `telltale.hidden-columns.${name}`
  const [hidden, setHidden] = useState(() =>
    (localStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean),
  )
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: { of: Row }) => column.sortBy?.(row.of) ?? null,
        enableSorting: column.sortBy !== undefined,
        enableHiding: column.fixed !== true,
        sortFn: (a: { original: { of: Row } }, b: { original: { of: Row } }) =>
          compareValues(column.sortBy?.(a.original.of) ?? null, column.sortBy?.(b.original.of) ?? null),
      })),
    [columns],
  )
  const boxed = useMemo(() => rows.map((of) => ({ of })), [rows])
  const table = useTable({
    features,
    columns: definitions,
    data: boxed,
    getRowId: ({ of }) => rowId(of),
    manualSorting: sorted,
    state: {
      sorting: sort ? [{ id: sort.id, desc: sort.desc }] : [],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
    },
  })
  const visible = new Set(table.getVisibleLeafColumns().map(({ id }) => id))

  return {
    rows: table.getRowModel().rows.map(({ original }) => original.of),
    columns: columns.filter(({ id }) => visible.has(id)),
    hidden,
    setHidden: (next) => {
      setHidden([...next])
      localStorage.setItem(storageKey, next.join(' '))
    },
  }
}
