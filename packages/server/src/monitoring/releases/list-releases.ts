import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listReleases as listReleasesCall } from '@telltale/core/contract/releases'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { countVersioned, findReleases } from './queries.ts'
import { toReleases } from './release.ts'

export async function listReleases(
  { db, projectId }: { db: Queryable; projectId: string },
  question: Question,
  query: QueryOf<typeof listReleasesCall>,
): Promise<ReplyOf<typeof listReleasesCall>> {
  const { sort = 'first-seen', search } = query
  const all = await countVersioned(question)
  const page = await readPage(query, {
    find: (cursor, count) =>
      findReleases(question, {
        sort,
        search,
        after: cursor === undefined ? undefined : readAfter(cursor),
        count,
      }),
    keyOf: ({ sorted, version }) => JSON.stringify([sorted, version]),
    toItem: (row) => row,
  })
  const { environmentId } = question
  return { items: await toReleases(db, page.items, { projectId, environmentId, all }), next: page.next }
}

function readAfter(cursor: string) {
  const { sorted, texts } = readMark(cursor, 1)
  return { sorted, version: texts[0] ?? '' }
}
