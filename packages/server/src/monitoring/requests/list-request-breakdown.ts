import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listRequestBreakdown as listRequestBreakdownCall } from '@telltale/core/contract/requests'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readGroups } from '../explore/read-groups.ts'
import { toMeasured } from './measured.ts'
import { findRequestBreakdown } from './queries.ts'

export async function listRequestBreakdown(
  question: Question,
  { method, host, endpoint, by }: QueryOf<typeof listRequestBreakdownCall>,
): Promise<ReplyOf<typeof listRequestBreakdownCall>> {
  const [field] = readGroups(by, { pointer: '?by', most: 1 })
  const group = { method, host, endpoint }
  const rows = field === undefined ? [] : await findRequestBreakdown(question, { group, by: field })
  return {
    ...periodOf(question),
    groups: rows.map(({ slice, ...row }) => ({ value: slice, ...toMeasured(question, row) })),
  }
}
