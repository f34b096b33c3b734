import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listComments as listCommentsCall } from '@telltale/core/contract/comments'
import { problem } from '@telltale/core/errors'
import type { ProjectRow } from '../../access/find-project.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import { toComments } from './comment.ts'
import { findComments } from './queries.ts'
import { findSubject, type Subject } from './subject.ts'

export async function listComments(
  db: Queryable,
  project: ProjectRow,
  query: Query,
): Promise<ReplyOf<typeof listCommentsCall>> {
  const subject = await subjectOf(db, project, query)
  const { items: rows, next } = await readNewestFirst(query, {
    find: async (before, count) => {
      const found = await findComments(db, { projectId: project.id, subject }, { before, count })
      return found.map((placed) => ({ id: placed.comment.id, placed }))
    },
    toItem: ({ placed }) => placed,
  })
  return { items: await toComments(db, rows), next }
}

type Query = QueryOf<typeof listCommentsCall>

/** Undefined for the comments of the whole project. */
async function subjectOf(
  db: Queryable,
  project: ProjectRow,
  { kind, subject, env }: Query,
): Promise<Subject | undefined> {
  if (kind === undefined && subject === undefined) return undefined
  if (kind === undefined || subject === undefined) {
    const pointer = kind === undefined ? '?kind' : '?subject'
    throw problem('invalid-request', { errors: [{ pointer, message: 'is missing' }] })
  }
  return findSubject(db, project, { kind, subject, ...(env === undefined ? {} : { env }) })
}
