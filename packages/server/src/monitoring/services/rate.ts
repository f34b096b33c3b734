import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'

const minute = 60_000

interface Counted {
  requests: string
  failed: string
  p50: number
  p95: number
}

/** Null where there are too few requests for a percentile. */
export const percentileOf = (value: number, requests: string) =>
  Number(requests) >= limits.percentileMinimum ? value : null

export function toRate({ from, to }: Pick<Question, 'from' | 'to'>, row: Counted) {
  const [requests, failed] = [Number(row.requests), Number(row.failed)]
  return {
    requests,
    perMinute: requests / ((to - from) / minute),
    failed,
    failedShare: requests === 0 ? null : failed / requests,
    p50: percentileOf(row.p50, row.requests),
    p95: percentileOf(row.p95, row.requests),
  }
}
