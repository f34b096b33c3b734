interface CountedValue {
  readonly value: string
  readonly count: number
}

interface Kept {
  ticked: readonly string[]
  /** Listed before, or always. */
  known: readonly string[]
  /** There are no others, and they stand in this order. */
  isFixed: boolean
  atMost: number
}

/**
 * The values of a facet that are listed: the most frequent, those that are ticked, and what was listed before, with 0 when
 * no session has it any more. So a list does not jump while one ticks through it.
 */
export function keepValues(
  counted: readonly CountedValue[],
  { ticked, known, isFixed, atMost }: Kept,
): CountedValue[] {
  const counts = new Map(counted.map(({ value, count }) => [value, count]))
  const withCount = (value: string) => ({ value, count: counts.get(value) ?? 0 })
  if (isFixed) return known.map(withCount)
  const frequent = counted.slice(0, atMost).map(({ value }) => value)
  const wanted = [...new Set([...frequent, ...ticked])]
  const fill = known.filter((value) => !wanted.includes(value)).slice(0, Math.max(0, atMost - wanted.length))
  const kept = new Set([...wanted, ...fill])
  const inPlace = known.filter((value) => kept.has(value))
  return [...new Set([...inPlace, ...kept])].map(withCount)
}
