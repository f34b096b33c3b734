/**
 * Whether these rows are from an older version: none has more values than there are columns, and at least one has
 * fewer. Such rows can be in the spool during an upgrade that added columns at the end.
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
