/**
 * Whether these rows are those of an older version: each with at most as many values as there are columns, and at least one
 * with fewer. Such rows can wait in the spool over an upgrade that added columns at the end.
 */
export function hasShortRows(rows: Uint8Array, columns: number): boolean {
  let isShort = false
  for (const line of new TextDecoder().decode(rows).split('\n')) {
    if (line === '') continue
    const count = countValues(line)
    if (count === undefined || count > columns) return false
    isShort ||= count < columns
  }
  return isShort
}

function countValues(line: string): number | undefined {
  try {
    const row: unknown = JSON.parse(line)
    return Array.isArray(row) ? row.length : undefined
  } catch {
    return undefined
  }
}
