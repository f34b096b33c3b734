import type { MeasuredRequest } from '../../api/requests.ts'
import type { StackedPanel } from '../../charts/stacked-row.tsx'
import { ChartHead } from '../../features/rates/chart-head.tsx'
import { Duration } from '../../features/rates/duration.tsx'
import { rateText } from '../../features/rates/rate-text.ts'
import { stepsOfSeries } from '../../features/rates/step-series.ts'
import { countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { stepNames, stepText } from '../../ui/text/step-words.ts'

/** Counts from a response with fine steps, percentiles from one whose steps have enough requests. */
export function requestPanels(fine: MeasuredRequest, coarse: MeasuredRequest): StackedPanel[] {
  const { count, perMinute, failed, failedShare, sessions, step } = fine
  return [
    {
      id: 'count',
      label: 'Requests',
      kind: 'bars',
      format: countText,
      values: fine.series.map((point) => point.count),
      sentence: `${countText(count)} requests in ${countText(sessions)} sessions`,
      head: (
        <ChartHead title="Requests" note={`${rateText(perMinute)} per minute, bar: ${stepText(step)}`}>
          {countText(count)}
        </ChartHead>
      ),
    },
    {
      id: 'failed',
      label: 'Failed',
      kind: 'bars',
      format: countText,
      values: fine.series.map((point) => point.failed),
      sentence: `${countText(failed)} of them failed`,
      head: (
        <ChartHead title="Failed" note={`${countText(failed)} of them`}>
          {failedShare === null ? '–' : shareText(failedShare)}
        </ChartHead>
      ),
    },
    durationPanel('p75', coarse, fine),
    durationPanel('p95', coarse, fine),
  ]
}

type Level = 'p75' | 'p95'

function durationPanel(level: Level, coarse: MeasuredRequest, fine: MeasuredRequest): StackedPanel {
  const { p50, count } = fine
  const value = fine[level]
  return {
    id: level,
    label: `Duration ${level}`,
    kind: 'line',
    format: durationText,
    values: coarse.series.map((point) => point[level]),
    sentence: `duration ${level} ${value === null ? '(too few requests)' : durationText(value)}`,
    none: 'Too few requests per interval for a percentile',
    ...(coarse === fine ? {} : { steps: stepsOfSeries(coarse) }),
    head: (
      <ChartHead
        title="Duration"
        detail={level}
        note={level === 'p75' ? p50 !== null && `p50 ${durationText(p50)}` : `per ${stepNames[coarse.step]}`}
      >
        <Duration value={value} of={count} />
      </ChartHead>
    ),
  }
}
