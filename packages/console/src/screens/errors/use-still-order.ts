import { useState } from 'react'
import { stillOrder } from './still-order.ts'

interface Still<Row> {
  readonly rows: readonly Row[]
  /** How many wait until somebody asks for them. */
  readonly fresh: number
  readonly showFresh: () => void
}

/**
 * Rows that are asked for again and again keep their places, whatever their counts do: nothing moves under the pointer.
 * What is new waits. `of` names what is listed: of something else the order is new.
 */
export function useStillOrder<Row extends { id: string }>(rows: readonly Row[], of: string): Still<Row> {
  const [kept, setKept] = useState<{ of: string; ids: readonly string[] }>({ of, ids: [] })
  const known = kept.of === of ? kept.ids : []
  const still = stillOrder(rows, known)
  // Set while rendering, as React suggests for what follows from the props: before anything is drawn.
  if (kept.of !== of || still.ids.length !== known.length) setKept({ of, ids: still.ids })
  return {
    rows: still.rows,
    fresh: still.fresh,
    showFresh: () => setKept({ of, ids: rows.map(({ id }) => id) }),
  }
}
