import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listPages as listPagesCall } from '@telltale/core/contract/pages'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { toSummaries } from './page-vitals.ts'
import { findPages, listed } from './queries.ts'

export async function listPages(
  asked: Question,
  query: QueryOf<typeof listPagesCall>,
): Promise<ReplyOf<typeof listPagesCall>> {
  const { sort = 'views', search } = query
  const question = await chooseSample(asked, {
    conditions: (sampled) => listed(sampled, search),
    exact: query.exact,
  })
  const page = await readPage(query, {
    find: (after, count) => {
      const mark = after === undefined ? undefined : readMark(after, 1)
      return findPages(question, {
        sort,
        search,
        after: mark && { sorted: mark.sorted, page: mark.texts[0] ?? '' },
        count,
      })
    },
    keyOf: ({ sorted, page }) => JSON.stringify([sorted, page]),
    toItem: ({ page, views, sessions, errors, vitals, good }) => ({
      page,
      views,
      sessions: Number(sessions),
      errors,
      vitals: toSummaries(vitals),
      good,
    }),
  })
  return { ...page, sample: sampleOf(question) }
}
