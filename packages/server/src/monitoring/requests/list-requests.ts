import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listRequests as listRequestsCall } from '@telltale/core/contract/requests'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { toMeasured } from './measured.ts'
import { findRequests, listed } from './queries.ts'

export async function listRequests(
  asked: Question,
  query: QueryOf<typeof listRequestsCall>,
): Promise<ReplyOf<typeof listRequestsCall>> {
  const { sort = 'count', search, party } = query
  const question = await chooseSample(asked, {
    kind: 'resource',
    conditions: (sampled) => listed(sampled, search),
    exact: query.exact,
  })
  const page = await readPage(query, {
    find: (cursor, count) =>
      findRequests(question, {
        sort,
        search,
        party,
        after: cursor === undefined ? undefined : readAfter(cursor),
        count,
      }),
    keyOf: ({ sorted, endpoint, method, host }) => JSON.stringify([sorted, endpoint, method, host]),
    toItem: ({ method, host, endpoint, own, slowestPage, ...row }) => ({
      method,
      host,
      endpoint,
      own: own === 1,
      slowestPage,
      ...toMeasured(question, row),
    }),
  })
  return { ...page, sample: sampleOf(question) }
}

function readAfter(cursor: string) {
  const { sorted, texts } = readMark(cursor, 3)
  const [endpoint = '', method = '', host = ''] = texts
  return { sorted, endpoint, method, host }
}
