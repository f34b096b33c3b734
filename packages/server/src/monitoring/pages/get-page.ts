import type { ReplyOf } from '@telltale/core/contract/call'
import { vitalNames } from '@telltale/core/contract/events'
import type { getPage as getPageCall } from '@telltale/core/contract/pages'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { toVitals } from '../explore/vitals.ts'
import { boundariesOf, lastBin, toBins, widthsOf } from './page-vitals.ts'
import { findBins, findPageTotals, findPageVitals } from './queries.ts'

/** A page without visits in the period has zeros instead of an error, because its link may be shared. */
export async function getPage(question: Question, page: string): Promise<ReplyOf<typeof getPageCall>> {
  const [totals, vitals, bins] = await Promise.all([
    findPageTotals(question, page),
    findPageVitals(question, page),
    findBins(question, { page, widths: widthsOf(vitalNames), last: lastBin, by: undefined }),
  ])
  return {
    ...periodOf(question),
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
