import { useQuery } from '@tanstack/react-query'
import { stepForPercentiles } from '@telltale/core/query/step-for-percentiles'
import { useCallback, useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import type { MeasuredRequest } from '../../api/requests.ts'
import { requestQuery } from '../../api/requests.ts'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { FlagChangeCard } from '../../features/flags/flag-change-card.tsx'
import { type FlagChangeMarker, useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { requestPanels, stepsOf } from './request-panels.tsx'

type RequestChartsProps = { request: MeasuredRequest; question: Question }

/** Rate, failures and duration over the same period, with flag changes. */
export function RequestCharts({ request, question }: RequestChartsProps) {
  const coarse = useCoarseRequest(request, question)
  const setScope = useSetScope()
  const changes = useFlagMarkers(question)
  const panels = useMemo(() => requestPanels(request, coarse), [request, coarse])
  const { times, partial } = useMemo(() => stepsOf(request), [request])
  const choose = useCallback((from: number, to: number) => setScope({ t: rangeOf({ from, to }) }), [setScope])
  const card = useCallback((markers: readonly FlagChangeMarker[]) => <FlagChangeCard markers={markers} />, [])

  return (
    <StackedChart
      label={`${request.method} ${request.endpoint}: ${panels.map(({ sentence }) => sentence).join('; ')}`}
      from={Date.parse(request.from)}
      to={Date.parse(request.to)}
      times={times}
      partial={partial}
      panels={panels}
      changes={changes}
      changeCard={card}
      timeZone={request.timeZone}
      onSpan={choose}
    />
  )
}

/**
 * The same query in steps with enough requests for percentiles; while it loads, and if no step is long enough,
 * the original result.
 */
function useCoarseRequest(request: MeasuredRequest, question: Question): MeasuredRequest {
  const { method, host, endpoint, series } = request
  const step = useMemo(() => stepForPercentiles({ ...request, points: series }), [request, series])
  const coarse = useQuery({
    ...requestQuery(question, { method, host, endpoint }, step),
    enabled: step !== undefined && step !== request.step,
  })
  if (step === undefined || step === request.step || coarse.isPlaceholderData) return request
  return coarse.data ?? request
}
