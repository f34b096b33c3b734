import { useMemo, useState } from 'react'
import { type Column, type Sort, sortRows } from './column.ts'

interface ColumnsOptions<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  /** Already sorted. */
  sorted: boolean
  /** The storage key for the hidden columns. */
  name: string
}

interface Shown<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  hidden: readonly string[]
  setHidden: (hidden: readonly string[]) => void
}

/** Sorting and column visibility. Hidden columns are stored in this browser. */
export function useColumns<Row>({ rows, columns, sort, sorted, name }: ColumnsOptions<Row>): Shown<Row> {
  const storageKey = `telltale.hidden-columns.${name}`
  const [hidden, setHidden] = useState(() =>
    (localStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean),
  )
  const { id, desc = false } = sort ?? {}
  const ordered = useMemo(() => {
    const by = sorted ? undefined : columns.find((column) => column.id === id)?.sortBy
    return by ? sortRows(rows, by, desc) : rows
  }, [rows, columns, sorted, id, desc])
  const visible = useMemo(
    () => columns.filter((column) => column.fixed || !hidden.includes(column.id)),
    [columns, hidden],
  )

  return {
    rows: ordered,
    columns: visible,
    hidden,
    setHidden: (next) => {
      setHidden([...next])
      localStorage.setItem(storageKey, next.join(' '))
    },
  }
}
