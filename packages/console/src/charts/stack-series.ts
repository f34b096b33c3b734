import type { TimeSeries } from './time-chart.tsx'

/** Bars that stand on each other, the highest first: those after it are drawn over it. What is missing adds nothing. */
export function stackSeries(series: readonly TimeSeries[]): TimeSeries[] {
  let below: readonly (number | null)[] = []
  return series
    .map((one): TimeSeries => {
      below = one.values.map((value, index) => (value ?? 0) + (below[index] ?? 0))
      return { ...one, kind: 'bars', values: below }
    })
    .reverse()
}
