interface Ordered<Row> {
  readonly rows: readonly Row[]
  /** The order that is kept from now on. */
  readonly ids: readonly string[]
  readonly fresh: number
}

/**
 * Rows in the order they were seen in. What stands behind all that is known is a further page and joins; what pushes in
 * between is fresh and waits; what was gone and is there again has its old place.
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
