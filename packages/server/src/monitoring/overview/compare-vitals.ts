import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readSteps } from '../explore/steps.ts'
import { toVitals } from '../explore/vitals.ts'
import { type Summed, sumVitals } from './queries.ts'

/** The vitals of a period and of the previous one. */
export async function compareVitals(question: Question) {
  const { from, to } = question
  const both = question.with({ from: from - (to - from) })
  const rows = await sumVitals({ both, from, steps: readSteps(question, undefined) })
  const whole = (half: number) => rows.filter((row: Summed) => row.half === half && row.at === 0)
  return { ...periodOf(question), now: toVitals(whole(2)), before: toVitals(whole(1)) }
}
