interface Ordered<Row> {
  readonly rows: readonly Row[]
  /** The order to keep from now on. */
  readonly ids: readonly string[]
  readonly fresh: number
}

/**
 * Keeps rows in the order they were first shown in. Rows after all known ones belong to a further page and are
 * appended; rows in between are new and wait; rows that return get their old position.
 */
export function stillOrder<Row extends { id: string }>(
  rows: readonly Row[],
  known: readonly string[],
): Ordered<Row> {
  const places = new Map(rows.map((row, index) => [row.id, index]))
  const isKnown = new Set(known)
  const last = known.reduce((most, id) => Math.max(most, places.get(id) ?? -1), -1)
  const joining = rows.filter(({ id }, index) => index > last && !isKnown.has(id))
  const ids = [...known, ...joining.map(({ id }) => id)]
  const byId = new Map(rows.map((row) => [row.id, row]))
  const shown = ids.flatMap((id) => byId.get(id) ?? [])
  return { rows: shown, ids, fresh: rows.length - shown.length }
}
