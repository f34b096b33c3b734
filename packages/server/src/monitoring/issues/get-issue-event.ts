import type { ReplyOf } from '@telltale/core/contract/call'
import type { getIssueEvent as getIssueEventCall } from '@telltale/core/contract/issues'
import { problem } from '@telltale/core/errors'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Question } from '../explore/question.ts'
import { findErrors, mapErrors } from './list-issue-events.ts'
import type { FoundIssue } from './queries.ts'

/** `event` is an id, `newest` or `oldest`. */
export async function getIssueEvent(
  services: { stackMapper: StackMapper },
  question: Question,
  { issue, projectId, event }: { issue: FoundIssue; projectId: string; event: string },
): Promise<ReplyOf<typeof getIssueEventCall>> {
  const { groups } = issue
  const isEnd = event === 'newest' || event === 'oldest'
  const wanted = isEnd
    ? ({ order: event, count: 1 } as const)
    : ({ order: 'newest', id: event, count: 1 } as const)
  const [row] = await findErrors(question, groups, wanted)
  if (row === undefined) throw problem('not-found', 'The issue has no such error in this period.')

  const beyond = { at: Number(row.at), id: row.event_id }
  const [[mapped], [older], [newer]] = await Promise.all([
    mapErrors(services, projectId, [row]),
    findErrors(question, groups, { order: 'newest', beyond, count: 1 }),
    findErrors(question, groups, { order: 'oldest', beyond, count: 1 }),
  ])
  if (mapped === undefined) throw problem('not-found')
  return { event: mapped, older: older?.event_id ?? null, newer: newer?.event_id ?? null }
}
