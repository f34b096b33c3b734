// Sets of positions as lists of pairs. In a plain set every pair runs upwards and the pairs ascend, apart from each
// other. In a sequence the order of the pairs counts, and a pair that runs downwards is walked from its upper end.

export type Piece = [from: number, to: number]

export function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((size, [from, to]) => size + Math.abs(to - from), 0)
}

/** The plain set of what the pieces cover. They do not overlap. */
export function toSet(pieces: readonly Piece[]): Piece[] {
  const upwards = pieces.map(([from, to]): Piece => (from < to ? [from, to] : [to, from]))
  return joined(upwards.sort(([left], [right]) => left - right))
}

/** The same positions, walked backwards. */
export function backwards(sequence: readonly Piece[]): Piece[] {
  return sequence.map(([from, to]): Piece => [to, from]).reverse()
}

/** The first `size` positions of a sequence. */
export function firstOf(sequence: readonly Piece[], size: number): Piece[] {
  const first: Piece[] = []
  let left = size
  for (const [from, to] of sequence) {
    if (left <= 0) break
    const length = Math.min(left, Math.abs(to - from))
    first.push([from, from < to ? from + length : from - length])
    left -= length
  }
  return first
}

/** What of a sequence lies in a set, in the order of the sequence. */
export function within(sequence: readonly Piece[], set: readonly Piece[]): Piece[] {
  return joined(sequence.flatMap((piece) => overlapsOf(piece, set)))
}

/** What of a sequence lies outside of a set, in the order of the sequence. */
export function outside(sequence: readonly Piece[], set: readonly Piece[]): Piece[] {
  return within(sequence, complementOf(set))
}

/** Neighbours that continue each other become one. */
export function joined(sequence: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const [from, to] of sequence) {
    const last = result.at(-1)
    if (last !== undefined && last[1] === from && last[0] < last[1] === from < to) last[1] = to
    else if (from !== to) result.push([from, to])
  }
  return result
}

function overlapsOf([from, to]: Piece, set: readonly Piece[]): Piece[] {
  const [low, high] = from < to ? [from, to] : [to, from]
  const overlaps = set
    .map(([start, end]): Piece => [Math.max(low, start), Math.min(high, end)])
    .filter(([start, end]) => start < end)
  return from < to ? overlaps : backwards(overlaps)
}

function complementOf(set: readonly Piece[]): Piece[] {
  const starts = [Number.NEGATIVE_INFINITY, ...set.map(([, end]) => end)]
  const ends = [...set.map(([start]) => start), Number.POSITIVE_INFINITY]
  return starts.map((start, index): Piece => [start, ends[index] ?? start])
}
