import { type FocusEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type Shortcut, useShortcut } from '../keyboard.tsx'
import type { Selection } from './table-row.tsx'

interface RowKeysOptions<Row> {
  rows: readonly Row[]
  rowId: (row: Row) => string
  body: RefObject<HTMLElement | null>
  onPeek?: (row: Row) => void
  /** The row whose detail is open. */
  peeked?: string | undefined
  selection?: Selection
}

interface RowKeys {
  /** The index of the row with the focus, or the last one with it. −1: none. */
  current: number
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
}

/**
 * `j k` and arrows move, `space` peeks, `x` selects. `enter` is the link's own. Inside the list, page keys move
 * too, so that the focus stays in view.
 */
export function useRowKeys<Row>({
  rows,
  rowId,
  body,
  onPeek,
  peeked,
  selection,
}: RowKeysOptions<Row>): RowKeys {
  const [id, setId] = useState<string>()
  const [isInside, setInside] = useState(false)
  const wanted = useRef<string>(undefined)
  const at = useMemo(
    () => (id === undefined ? -1 : rows.findIndex((row) => rowId(row) === id)),
    [rows, rowId, id],
  )

  // The row may have to be rendered first: the current one always is.
  useEffect(() => {
    if (wanted.current === undefined) return
    const row = findRow(body.current, wanted.current)
    if (!row) return
    wanted.current = undefined
    focusRow(row)
  })

  function walkTo(index: number) {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    if (row === undefined) return
    // The open detail follows.
    if (peeked !== undefined && peeked !== rowId(row)) onPeek?.(row)
    const drawn = findRow(body.current, rowId(row))
    if (drawn) return focusRow(drawn)
    wanted.current = rowId(row)
    setId(rowId(row))
  }

  const walking = { next: 'Next row', before: 'Previous row' }
  useShortcut({ keys: 'j', label: walking.next, run: () => walkTo(at + 1) })
  useShortcut({ keys: 'k', label: walking.before, run: () => walkTo(at - 1) })
  useShortcut({ keys: 'ArrowDown', label: walking.next, run: () => walkTo(at + 1) })
  useShortcut({ keys: 'ArrowUp', label: walking.before, run: () => walkTo(at - 1) })
  const inside = (shortcut: Shortcut) => (isInside ? shortcut : undefined)
  const page = () => rowsInView(body.current)
  useShortcut(inside({ keys: 'PageDown', label: 'Page down', run: () => walkTo(at + page()) }))
  useShortcut(inside({ keys: 'PageUp', label: 'Page up', run: () => walkTo(at - page()) }))
  useShortcut(inside({ keys: 'Home', label: 'First row', run: () => walkTo(0) }))
  useShortcut(inside({ keys: 'End', label: 'Last row', run: () => walkTo(rows.length - 1) }))

  const row = rows[at]
  useShortcut(
    onPeek && row !== undefined
      ? { keys: 'Space', label: 'Open details', run: () => onPeek(row) }
      : undefined,
  )
  useShortcut(
    selection && row !== undefined
      ? { keys: 'x', label: 'Select row', run: () => selection.onToggle(rowId(row)) }
      : undefined,
  )

  return {
    current: at,
    onFocus: ({ target }) => {
      // A row's menu is rendered elsewhere in the page, but its React events bubble to the row.
      const found = body.current?.contains(target) ? target.closest<HTMLElement>('[data-row]') : null
      setInside(found !== null)
      if (found?.dataset.row !== undefined) setId(found.dataset.row)
    },
    onBlur: ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && body.current?.contains(relatedTarget))) setInside(false)
    },
  }
}

function findRow(body: HTMLElement | null, id: string): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null
}

function focusRow(row: HTMLElement): void {
  const target = row.querySelector<HTMLElement>('a[href]') ?? row
  target.focus()
}

/** One row less than fits between the bars, so that one row of the previous page stays in view. */
function rowsInView(body: HTMLElement | null): number {
  const height = body?.querySelector<HTMLElement>('[data-row]')?.offsetHeight
  return height ? Math.max(1, Math.floor((window.innerHeight * 0.85) / height) - 1) : 1
}
