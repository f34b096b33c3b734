// Writes values for JSON rows. Values outside a column's range are clamped, because the database rejects them.

export const noId = '00000000-0000-0000-0000-000000000000'

const largestFloat = 3.4e38
const latest = 4_102_444_800_000

/** A 32-bit float. */
export function floatText(value: number): string {
  return String(Math.max(-largestFloat, Math.min(largestFloat, value)))
}

/** An unsigned integer. */
export function countText(value: number, bits: 8 | 16 | 32): string {
  return String(Math.max(0, Math.min(2 ** bits - 1, Math.round(value))))
}

/** A revision for a 64-bit column. JavaScript writes larger numbers with an exponent, which the database rejects. */
export function revisionText(value: number): string {
  return String(Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, Math.round(value))))
}

/** Milliseconds since 1970, up to the year 2100. */
export function instantText(at: number): string {
  return String(Math.max(0, Math.min(latest, Math.round(at))))
}

export function idText(id: string | undefined): string {
  return `"${id ?? noId}"`
}
