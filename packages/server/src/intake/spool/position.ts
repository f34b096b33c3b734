/** The position of a record: a segment and a byte offset in it. */
export interface Position {
  segment: number
  offset: number
}

export function isBefore(one: Position, other: Position): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset)
}
