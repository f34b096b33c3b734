import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listNewErrors as listNewErrorsCall } from '@telltale/core/contract/overview'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { findNewErrors } from './queries.ts'

const listed = 10

export async function listNewErrors(
  question: Question,
  { limit = listed }: QueryOf<typeof listNewErrorsCall>,
): Promise<ReplyOf<typeof listNewErrorsCall>> {
  const rows = await findNewErrors(question, limit)
  return {
    ...periodOf(question),
    errors: rows.map(({ first_at, last_at, sessions, ...row }) => ({
      ...row,
      sessions: Number(sessions),
      firstAt: new Date(Number(first_at)).toISOString(),
      lastAt: new Date(Number(last_at)).toISOString(),
    })),
  }
}
