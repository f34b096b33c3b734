import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listSessionVariations as listSessionVariationsCall } from '@telltale/core/contract/sessions'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { toVitals } from '../explore/vitals.ts'
import { renderSequence } from './sequence.ts'
import { findVariations, findVariationVitals } from './variation-queries.ts'

export async function listSessionVariations(
  question: Question,
  { flag, sequence }: QueryOf<typeof listSessionVariationsCall>,
): Promise<ReplyOf<typeof listSessionVariationsCall>> {
  const requested = { flag, conditions: renderSequence(question, sequence) }
  const [rows, vitals] = await Promise.all([
    findVariations(question, requested),
    findVariationVitals(question, requested),
  ])
  return {
    ...periodOf(question),
    variations: rows.map((row) => ({
      variation: row.variation,
      sessions: row.sessions,
      withOthers: row.with_others,
      withErrors: row.with_errors,
      withFailedRequests: row.with_failed,
      withFrustration: row.with_frustration,
      vitals: toVitals(vitals.filter(({ variation }) => variation === row.variation)),
    })),
  }
}
