interface CountedValue {
  readonly value: string
  readonly count: number
}

interface Kept {
  ticked: readonly string[]
  /** Listed before, or fixed. */
  known: readonly string[]
  /** There are no others, and their order is fixed. */
  isFixed: boolean
  atMost: number
}

/**
 * The listed values of a facet: the most frequent, the selected, and previously listed ones, with 0 when no
 * session has them any more. This keeps the list stable while values are selected.
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
