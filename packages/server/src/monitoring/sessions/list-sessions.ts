import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listSessions as listSessionsCall } from '@telltale/core/contract/sessions'
import { problem } from '@telltale/core/errors'
import { validate as isId } from 'uuid'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { findSessions, type SessionMark } from './queries.ts'
import { renderSequence } from './sequence.ts'
import { toSession } from './session.ts'

export async function listSessions(
  question: Question,
  { query, now }: { query: QueryOf<typeof listSessionsCall>; now: Date },
): Promise<ReplyOf<typeof listSessionsCall>> {
  const { sort = 'newest', sequence } = query
  const conditions = renderSequence(question, sequence)
  return readPage(query, {
    find: (cursor, count) =>
      findSessions(question, {
        sort,
        conditions,
        after: cursor === undefined ? undefined : readAfter(cursor),
        count,
      }),
    keyOf: ({ sorted, started_at: startedAt, session_id: id }) => JSON.stringify([sorted, startedAt, id]),
    toItem: (row) => toSession(row, now),
  })
}

function readAfter(cursor: string): SessionMark {
  const { sorted, texts } = readMark(cursor, 2)
  const [startedAt = '', id = ''] = texts
  if (Number.isFinite(sorted) && /^\d{1,13}$/.test(startedAt) && isId(id)) {
    return { sorted, startedAt: Number(startedAt), id }
  }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
