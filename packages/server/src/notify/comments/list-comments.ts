import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listComments as listCommentsCall } from '@telltale/core/contract/comments'
import type { ProjectRow } from '../../access/find-project.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import { toComments } from './comment.ts'
import { findComments } from './queries.ts'
import { findSubject } from './subject.ts'

export async function listComments(
  db: Queryable,
  project: ProjectRow,
  query: QueryOf<typeof listCommentsCall>,
): Promise<ReplyOf<typeof listCommentsCall>> {
  const subject = await findSubject(db, project, query)
  const { items: rows, next } = await readNewestFirst(query, {
    find: (before, count) => findComments(db, { projectId: project.id, subject }, { before, count }),
    toItem: (row) => row,
  })
  return { items: await toComments(db, rows), next }
}
