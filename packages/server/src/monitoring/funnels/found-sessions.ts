// A page of sessions that a statement finds: each with the instant by which it is sorted, latest first.

import { problem } from '@telltale/core/errors'
import { validate as isId } from 'uuid'
import { type PageQuery, readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { findSessionsById } from '../sessions/queries.ts'
import { type Session, toSession } from '../sessions/session.ts'

interface FoundRow {
  session: string
  latest: string
}

/** `found` is a SELECT of `session` and `at`, in milliseconds; a session may be found more than once. */
export async function pageFoundSessions(
  question: Question,
  { found, query, now }: { found: string; query: PageQuery; now: Date },
): Promise<{ items: Session[]; next: string | null }> {
  const page = await readPage(query, {
    find: (cursor, count) => findPage(question, { found, cursor, count }),
    keyOf: ({ session, latest }) => JSON.stringify([Number(latest), session]),
    toItem: ({ session }) => session,
  })
  const rows = await findSessionsById(question.with({}), page.items)
  const sessions = new Map(rows.map((row) => [row.session_id, row]))
  const items = page.items.flatMap((id) => {
    const row = sessions.get(id)
    return row === undefined ? [] : [toSession(row, now)]
  })
  return { items, next: page.next }
}

function findPage(
  question: Question,
  { found, cursor, count }: { found: string; cursor: string | undefined; count: number },
): Promise<FoundRow[]> {
  const { bind } = question
  const mark = cursor === undefined ? undefined : readAfter(cursor)
  const later =
    mark === undefined
      ? ''
      : `HAVING (latest, session) < (${bind(mark.at, 'Int64')}, ${bind(mark.session, 'UUID')})`
  return question.read<FoundRow>(
    `SELECT session, toInt64(max(at)) AS latest
    FROM (${found}) GROUP BY session ${later} ORDER BY latest DESC, session DESC LIMIT ${bind(count, 'UInt32')}`,
  )
}

function readAfter(cursor: string): { at: number; session: string } {
  const { sorted: at, texts } = readMark(cursor, 1)
  const [session = ''] = texts
  if (Number.isSafeInteger(at) && isId(session)) return { at, session }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
