import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type MeasuredRequest, requestQuery } from '../../api/requests.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { useFlagMarkers } from '../../shell/use-flag-markers.ts'
import { countText, durationText } from '../../ui/measure-text.ts'
import { stepForPercentiles, stepNames } from '../../ui/step-for-percentiles.ts'

type RequestChartsProps = { request: MeasuredRequest; question: Question }

/** How many and how slow over time, under one crosshair; what was dragged over becomes the time of the screen. */
export function RequestCharts({ request, question }: RequestChartsProps) {
  const { series, timeZone, endpoint, step } = request
  const markers = useFlagMarkers(question)
  const setScope = useSetScope()
  const counts = useMemo(
    () => ({
      times: series.map(({ at }) => Date.parse(at)),
      series: [
        { label: 'Requests', color: 'text-3', values: series.map(({ count }) => count), kind: 'bars' },
        { label: 'Failed', color: 'bad-fill', values: series.map(({ failed }) => failed), kind: 'bars' },
      ] satisfies TimeSeries[],
    }),
    [series],
  )
  const partial = useMemo(
    () => new Set(series.flatMap((point) => (point.partial ? [Date.parse(point.at)] : []))),
    [series],
  )
  const shared = {
    ...{ timeZone, markers, group: 'request' },
    span: { from: Date.parse(request.from), to: Date.parse(request.to) },
    onSpan: (from: number, to: number) => setScope({ t: rangeOf({ from, to }) }),
  }
  return (
    <>
      <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
        <h3 className="text-12 text-text-2">Requests in each {stepNames[step]}</h3>
        <TimeChart
          {...shared}
          {...counts}
          partial={partial}
          label={`Requests to ${endpoint} over time, and how many of them failed`}
          format={countText}
        />
      </section>
      <Durations request={request} question={question} shared={shared} />
    </>
  )
}

type DurationsProps = RequestChartsProps & {
  shared: Pick<Parameters<typeof TimeChart>[0], 'timeZone' | 'markers' | 'group' | 'span' | 'onSpan'>
}

/** In steps that have enough requests for percentiles, which may be longer than those of the counts. */
function Durations({ request, question, shared }: DurationsProps) {
  const { method, host, endpoint } = request
  const step = stepForPercentiles({
    ...request,
    points: request.series.map(({ count, p75 }) => ({ count, value: p75 })),
  })
  const longer = useQuery({
    ...requestQuery(question, { method, host, endpoint }, step),
    enabled: step !== undefined && step !== request.step,
  })
  const series = step === request.step ? request.series : longer.data?.series
  const chart = useMemo(
    () =>
      series && {
        times: series.map(({ at }) => Date.parse(at)),
        series: [
          { label: 'p50', color: 'text-3', values: series.map(({ p50 }) => p50) },
          { label: 'p75', color: 'accent', values: series.map(({ p75 }) => p75) },
          { label: 'p95', color: 'v4', values: series.map(({ p95 }) => p95) },
        ] satisfies TimeSeries[],
      },
    [series],
  )
  if (step === undefined)
    return <p className="text-12 text-text-3">Too few requests for percentiles over time.</p>
  if (chart === undefined) return null
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <h3 className="text-12 text-text-2">Duration in each {stepNames[step]}</h3>
      <TimeChart
        {...shared}
        {...chart}
        label={`Duration of requests to ${endpoint} over time: p50, p75 and p95`}
        format={durationText}
      />
    </section>
  )
}
