import type { TimeSeries } from './time-chart.tsx'

/** Stacked bars, highest first: later ones are drawn over earlier ones. Missing values count as zero. */
export function stackSeries(series: readonly TimeSeries[]): TimeSeries[] {
  let below: readonly (number | null)[] = []
  return series
    .map((one): TimeSeries => {
      below = one.values.map((value, index) => (value ?? 0) + (below[index] ?? 0))
      return { ...one, kind: 'bars', values: below }
    })
    .reverse()
}
