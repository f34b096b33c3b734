import { type RefObject, useEffect, useRef, useState } from 'react'
import { useShortcut } from '../keyboard.tsx'
import type { Selection } from './table-row.tsx'

interface Asked<Row> {
  rows: readonly Row[]
  rowId: (row: Row) => string
  reveal: (index: number) => void
  body: RefObject<HTMLElement | null>
  onPeek?: (row: Row) => void
  selection?: Selection
}

interface CurrentRow {
  current: string | undefined
  setCurrent: (id: string) => void
}

/** `j k` and arrows walk, `space` peeks, `x` selects. `enter` is the link's own. */
export function useRowKeys<Row>({ rows, rowId, reveal, body, onPeek, selection }: Asked<Row>): CurrentRow {
  const [current, setCurrent] = useState<string>()
  const wanted = useRef<string>(undefined)
  const at = rows.findIndex((row) => rowId(row) === current)

  // The row may have to be drawn first.
  useEffect(() => {
    const id = wanted.current
    if (id === undefined) return
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
    if (!row) return
    wanted.current = undefined
    const target = row.querySelector<HTMLElement>('a[href]') ?? row
    target.focus()
  })

  function walk(step: number) {
    const index = Math.min(Math.max(at + step, 0), rows.length - 1)
    const row = rows[index]
    if (row === undefined) return
    reveal(index)
    wanted.current = rowId(row)
    setCurrent(rowId(row))
  }

  const row = rows[at]
  useShortcut({ keys: 'j', label: 'Next row', run: () => walk(1) })
  useShortcut({ keys: 'k', label: 'Row before', run: () => walk(-1) })
  useShortcut({ keys: 'ArrowDown', label: 'Next row', run: () => walk(1) })
  useShortcut({ keys: 'ArrowUp', label: 'Row before', run: () => walk(-1) })
  useShortcut(
    onPeek && row !== undefined
      ? { keys: 'Space', label: 'Look into the row', run: () => onPeek(row) }
      : undefined,
  )
  useShortcut(
    selection && row !== undefined
      ? { keys: 'x', label: 'Select the row', run: () => selection.onToggle(rowId(row)) }
      : undefined,
  )
  return { current, setCurrent }
}
