// Sets and sequences of positions as lists of [start, end] pairs. In a set all pairs ascend and do not touch. In a
// sequence the order of the pairs matters, and a descending pair is walked from its upper end.

export type Piece = [from: number, to: number]

export function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((size, [from, to]) => size + Math.abs(to - from), 0)
}

/** The set that the pieces cover. They must not overlap. */
export function toSet(pieces: readonly Piece[]): Piece[] {
  const upwards = pieces.map(([from, to]): Piece => (from < to ? [from, to] : [to, from]))
  return joined(upwards.sort(([left], [right]) => left - right))
}

/** The sequence in reverse order. */
export function backwards(sequence: readonly Piece[]): Piece[] {
  return sequence.map(([from, to]): Piece => [to, from]).reverse()
}

/** The first `size` positions of the sequence. */
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

/** The part of a sequence inside a set, in the order of the sequence. */
export function within(sequence: readonly Piece[], set: readonly Piece[]): Piece[] {
  return joined(sequence.flatMap((piece) => overlapsOf(piece, set)))
}

/** The part of a sequence outside a set, in the order of the sequence. */
export function outside(sequence: readonly Piece[], set: readonly Piece[]): Piece[] {
  return within(sequence, complementOf(set))
}

/** Merges adjacent pieces that continue each other. */
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
