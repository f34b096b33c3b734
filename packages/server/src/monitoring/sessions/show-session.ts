import type { ReplyOf } from '@telltale/core/contract/call'
import type { getSession as getSessionCall } from '@telltale/core/contract/sessions'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import { findFailures } from '../attributions/find-failures.ts'
import type { Question } from '../explore/question.ts'
import { askAboutFailures } from '../issues/attribute-issues.ts'
import type { IssueServices } from '../issues/note-groups.ts'
import { getSession } from './get-session.ts'

type Reply = ReplyOf<typeof getSessionCall>

/** A session for members, with the variations to which its failures are owed. */
export async function showSession(services: IssueServices, question: Question, id: string): Promise<Reply> {
  const session = await getSession(question, { id, now: services.clock() })
  return {
    ...session,
    attributions: session.errors === 0 ? [] : await attributeSession(services, question, id),
  }
}

async function attributeSession(
  services: IssueServices,
  given: Question,
  id: string,
): Promise<Reply['attributions']> {
  const question = askAboutFailures(given, services.clock())
  const failures = await findFailures(services, question, [`session_id = ${question.bind(id, 'UUID')}`])
  return failures.flatMap(({ issue, attributions }) =>
    attributions.map((attribution) => ({ issue: issue.id, title: titleOf(issue), ...attribution })),
  )
}
