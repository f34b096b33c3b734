import { useQuery } from '@tanstack/react-query'
import { stepForPercentiles } from '@telltale/core/query/step-for-percentiles'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type MeasuredRequest, requestQuery } from '../../api/requests.ts'
import { RateCharts } from '../../features/rates/rate-charts.tsx'
import { requestPanels } from './request-panels.tsx'

type RequestChartsProps = { request: MeasuredRequest; question: Question }

/** Rate, failures and duration over the same period, with flag changes. */
export function RequestCharts({ request, question }: RequestChartsProps) {
  const coarse = useCoarseRequest(request, question)
  const panels = useMemo(() => requestPanels(request, coarse), [request, coarse])
  return (
    <RateCharts
      name={`${request.method} ${request.endpoint}`}
      measured={request}
      panels={panels}
      question={question}
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
