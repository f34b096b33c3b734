import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getAdoption as getAdoptionCall } from '@telltale/core/contract/releases'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { findAdoption, findLargest } from './queries.ts'

export async function getAdoption(
  question: Question,
  { step }: QueryOf<typeof getAdoptionCall>,
): Promise<ReplyOf<typeof getAdoptionCall>> {
  const steps = readSteps(question, step)
  const versions = await findLargest(question)
  const points = versions.length === 0 ? [] : await findAdoption(question, { versions, steps })
  return {
    ...periodOf(question),
    step: steps.step,
    timeZone: steps.timeZone,
    versions,
    series: fillSteps(steps, points, (point) => ({
      all: point?.all ?? 0,
      sessions: point?.sessions ?? versions.map(() => 0),
    })),
  }
}
