import type { TimeSeries } from '../../charts/time-chart.tsx'

const colors = ['v1', 'v2', 'v3', 'v4', 'v5'] as const

/** The first five groups have a colour; more would not be distinguishable. A single line needs none. */
export function colorOf(
  order: number,
  { isOther, isAlone }: { isOther: boolean; isAlone: boolean },
): TimeSeries['color'] {
  if (isAlone) return 'accent'
  return (isOther ? undefined : colors[order]) ?? (isOther ? 'line-strong' : 'text-3')
}
