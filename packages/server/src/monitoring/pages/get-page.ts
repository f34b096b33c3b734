import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { vitalNames } from '@telltale/core/contract/events'
import type { getPage as getPageCall } from '@telltale/core/contract/pages'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { toVitals } from '../explore/vitals.ts'
import { boundariesOf, lastBin, toBins, widthsOf } from './page-vitals.ts'
import { findBins, findPageTotals, findPageVitals, onPage } from './queries.ts'

/** A page without visits in the period has zeros instead of an error, because its link may be shared. */
export async function getPage(
  asked: Question,
  { page, exact }: QueryOf<typeof getPageCall>,
): Promise<ReplyOf<typeof getPageCall>> {
  const question = await chooseSample(asked, {
    conditions: (sampled) => [onPage(sampled, page)],
    exact,
  })
  const [totals, vitals, bins] = await Promise.all([
    findPageTotals(question, page),
    findPageVitals(question, page),
    findBins(question, { page, widths: widthsOf(vitalNames), last: lastBin, by: undefined }),
  ])
  return {
    ...periodOf(question),
    sample: sampleOf(question),
    page,
    views: totals.views,
    sessions: Number(totals.sessions),
    errors: totals.errors,
    longFrames: totals.frames,
    vitals: toVitals(vitals).map((one) => ({
      ...one,
      boundaries: boundariesOf(one.name),
      bins: toBins(
        one.name,
        bins.filter(({ vital }) => vital === one.name),
      ),
    })),
  }
}
