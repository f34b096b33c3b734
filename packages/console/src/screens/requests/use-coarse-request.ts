import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type MeasuredRequest, requestQuery } from '../../api/requests.ts'
import { stepForPercentiles } from '../../ui/text/step-for-percentiles.ts'

/** The same request in steps that have enough for percentiles; until it is there, and where none would do, as it was. */
export function useCoarseRequest(request: MeasuredRequest, question: Question): MeasuredRequest {
  const { method, host, endpoint, series } = request
  const step = useMemo(() => stepForPercentiles({ ...request, points: series }), [request, series])
  const coarse = useQuery({
    ...requestQuery(question, { method, host, endpoint }, step),
    enabled: step !== undefined && step !== request.step,
  })
  if (step === undefined || step === request.step || coarse.isPlaceholderData) return request
  return coarse.data ?? request
}
