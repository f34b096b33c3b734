import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getSessionSeries as getSessionSeriesCall } from '@telltale/core/contract/sessions'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { countSessions, findSessionSeries } from './queries.ts'
import { renderSequence } from './sequence.ts'

export async function getSessionSeries(
  question: Question,
  { sequence, step }: QueryOf<typeof getSessionSeriesCall>,
): Promise<ReplyOf<typeof getSessionSeriesCall>> {
  const steps = readSteps(question, step)
  const conditions = renderSequence(question, sequence)
  const [total, points] = await Promise.all([
    countSessions(question, conditions),
    findSessionSeries(question, { conditions, steps }),
  ])
  return {
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    sessions: total.sessions,
    withErrors: total.with_errors,
    series: fillSteps(steps, points, (point) => ({
      sessions: point?.sessions ?? 0,
      withErrors: point?.with_errors ?? 0,
    })),
  }
}
