import { useMemo } from 'react'
import type { MeasuredRequest } from '../../api/requests.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { countText } from '../../ui/text/measure-text.ts'

/** How many over time, and how many of them failed: as much as a peek has room for. */
export function CountChart({ request }: { request: MeasuredRequest }) {
  const { series, endpoint, timeZone } = request
  const chart = useMemo(
    () => ({
      times: series.map(({ at }) => Date.parse(at)),
      partial: new Set(series.flatMap(({ at, partial }) => (partial ? [Date.parse(at)] : []))),
      series: [
        { label: 'Requests', color: 'text-3', values: series.map(({ count }) => count), kind: 'bars' },
        { label: 'Failed', color: 'bad-fill', values: series.map(({ failed }) => failed), kind: 'bars' },
      ] satisfies TimeSeries[],
    }),
    [series],
  )
  return (
    <TimeChart
      {...chart}
      label={`Requests to ${endpoint} over time, and how many of them failed`}
      format={countText}
      timeZone={timeZone}
    />
  )
}
