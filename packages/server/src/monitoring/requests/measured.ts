import type { Question } from '../explore/question.ts'
import type { Measured } from './queries.ts'

const minute = 60_000

export function toMeasured(
  { from, to }: Pick<Question, 'from' | 'to'>,
  { count, failed, p50, p75, p95, bytes, total, sessions }: Measured,
) {
  return {
    count,
    perMinute: count / ((to - from) / minute),
    failed,
    failedShare: count === 0 ? null : failed / count,
    p50,
    p75,
    p95,
    total,
    meanBytes: bytes,
    sessions: Number(sessions),
  }
}
