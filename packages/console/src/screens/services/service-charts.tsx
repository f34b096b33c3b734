import { useQuery } from '@tanstack/react-query'
import { stepForPercentiles } from '@telltale/core/query/step-for-percentiles'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type MeasuredService, serviceQuery } from '../../api/services.ts'
import type { StackedPanel } from '../../charts/stacked-row.tsx'
import { ChartHead } from '../../features/rates/chart-head.tsx'
import { Duration } from '../../features/rates/duration.tsx'
import { RateCharts } from '../../features/rates/rate-charts.tsx'
import { rateText } from '../../features/rates/rate-text.ts'
import { stepsOfSeries } from '../../features/rates/step-series.ts'
import { countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { stepNames, stepText } from '../../ui/text/step-words.ts'

type ServiceChartsProps = { service: MeasuredService; question: Question }

/** Rate, errors and duration of a service over the same period. */
export function ServiceCharts({ service, question }: ServiceChartsProps) {
  const coarse = useCoarseService(service, question)
  const panels = useMemo(() => servicePanels(service, coarse), [service, coarse])
  return <RateCharts name={service.service} measured={service} panels={panels} question={question} />
}

/** In steps with enough requests for percentiles, if there is such a step. */
function useCoarseService(service: MeasuredService, question: Question): MeasuredService {
  const step = useMemo(() => {
    const points = service.series.map(({ at, requests }) => ({ at, count: requests }))
    return stepForPercentiles({ ...service, points })
  }, [service])
  const isOther = step !== undefined && step !== service.step
  const coarse = useQuery({ ...serviceQuery(question, service.service, step), enabled: isOther })
  return isOther && !coarse.isPlaceholderData ? (coarse.data ?? service) : service
}

function servicePanels(fine: MeasuredService, coarse: MeasuredService): StackedPanel[] {
  const { requests, perMinute, failed, failedShare, step, series } = fine
  return [
    {
      id: 'requests',
      label: 'Requests',
      kind: 'bars',
      format: countText,
      values: series.map((point) => point.requests),
      sentence: `${countText(requests)} requests`,
      head: (
        <ChartHead title="Requests" note={`${rateText(perMinute)} per minute, bar: ${stepText(step)}`}>
          {countText(requests)}
        </ChartHead>
      ),
    },
    {
      id: 'failed',
      label: 'Failed',
      kind: 'bars',
      format: countText,
      values: series.map((point) => point.failed),
      sentence: `${countText(failed)} of them failed`,
      head: (
        <ChartHead title="Failed" note={`${countText(failed)} of them`}>
          {failedShare === null ? '–' : shareText(failedShare)}
        </ChartHead>
      ),
    },
    ...(['p50', 'p95', 'p99'] as const).map((level) => durationPanel(level, coarse, fine)),
  ]
}

function durationPanel(
  level: 'p50' | 'p95' | 'p99',
  coarse: MeasuredService,
  fine: MeasuredService,
): StackedPanel {
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
      <ChartHead title="Duration" detail={level} note={`per ${stepNames[coarse.step]}`}>
        <Duration value={value} of={fine.requests} />
      </ChartHead>
    ),
  }
}
