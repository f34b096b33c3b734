import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listRequestBreakdown as listRequestBreakdownCall } from '@telltale/core/contract/requests'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readGroups } from '../explore/read-groups.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { toMeasured } from './measured.ts'
import { findRequestBreakdown, ofGroup } from './queries.ts'

export async function listRequestBreakdown(
  asked: Question,
  { method, host, endpoint, by, exact }: QueryOf<typeof listRequestBreakdownCall>,
): Promise<ReplyOf<typeof listRequestBreakdownCall>> {
  const [field] = readGroups(by, { pointer: '?by', most: 1 })
  const group = { method, host, endpoint }
  const question = await chooseSample(asked, {
    kind: 'resource',
    conditions: (sampled) => ofGroup(sampled, group),
    exact,
  })
  const rows = field === undefined ? [] : await findRequestBreakdown(question, { group, by: field })
  return {
    ...periodOf(question),
    sample: sampleOf(question),
    groups: rows.map(({ slice, ...row }) => ({ value: slice, ...toMeasured(question, row) })),
  }
}
