// What failed for one session or user and which variation it is owed to: for a support desk.

import type { listAttributions as Listing } from '@telltale/core/contract/attributions'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { askAboutFailures } from '../issues/attribute-issues.ts'
import type { IssueServices } from '../issues/note-groups.ts'
import { findFailures } from './find-failures.ts'

export async function listAttributions(
  services: IssueServices,
  given: Question,
  { of }: QueryOf<typeof Listing>,
): Promise<ReplyOf<typeof Listing>> {
  const question = askAboutFailures(given, services.clock())
  const failures = await findFailures(services, question, [whoseOf(question, of)])
  return {
    ...periodOf(question),
    items: failures.map(({ issue, firstAt, lastAt, ...failure }) => ({
      issue: { id: issue.id, type: issue.type, message: issue.message, culprit: issue.culprit },
      ...failure,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
  }
}

function whoseOf({ bind }: Question, of: string): string {
  const sign = of.indexOf(':')
  const key = of.slice(sign + 1)
  if (of.slice(0, sign) === 'session') return `session_id = ${bind(key, 'UUID')}`
  const user = bind(key, 'String')
  return `(user_key = ${user} OR anonymous_id = ${user})`
}
