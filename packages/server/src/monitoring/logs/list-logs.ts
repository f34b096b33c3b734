import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listLogs as listLogsCall } from '@telltale/core/contract/logs'
import { problem } from '@telltale/core/errors'
import { validate as isId } from 'uuid'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { findLogs, toLog } from './queries.ts'

export async function listLogs(
  question: Question,
  query: QueryOf<typeof listLogsCall>,
): Promise<ReplyOf<typeof listLogsCall>> {
  return readPage(query, {
    find: (cursor, count) =>
      findLogs(question, { after: cursor === undefined ? undefined : readAfter(cursor), count }),
    keyOf: ({ at, id }) => JSON.stringify([Number(at), id]),
    toItem: toLog,
  })
}

function readAfter(cursor: string) {
  const { sorted, texts } = readMark(cursor, 1)
  const [id = ''] = texts
  if (isId(id)) return { at: sorted, id }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
