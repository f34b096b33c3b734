import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listLogLevels as listLogLevelsCall } from '@telltale/core/contract/logs'
import { logLevels } from '@telltale/core/otlp-names'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { findLevelPoints } from './queries.ts'

export async function listLogLevels(
  question: Question,
  { step }: QueryOf<typeof listLogLevelsCall>,
): Promise<ReplyOf<typeof listLogLevelsCall>> {
  const steps = readSteps(question, step)
  const points = await findLevelPoints(question, steps)
  const levels = logLevels.toReversed().flatMap((level) => {
    const own = points.filter(({ logLevel }) => logLevel === level)
    if (own.length === 0) return []
    const counts = fillSteps(steps, own, (point) => ({ count: Number(point?.records ?? 0) }))
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    return [{ level, total, counts: counts.map(({ count }) => count) }]
  })
  return {
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    levels,
    steps: steps.all.map(({ at, partial }) => ({ at, partial })),
  }
}
