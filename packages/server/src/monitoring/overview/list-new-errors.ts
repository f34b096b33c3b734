import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listNewErrors as listNewErrorsCall } from '@telltale/core/contract/overview'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { findNotedIssues } from '../issues/find-noted-issues.ts'
import type { IssueServices } from '../issues/note-groups.ts'
import { countIssues } from '../issues/seen-errors.ts'
import { findNewErrors, type NewErrorRow } from './queries.ts'

type Reply = ReplyOf<typeof listNewErrorsCall>
type NewError = Reply['errors'][number]

const listed = 10

/** A group that a new build adds to an older issue is not new. */
export async function listNewErrors(
  services: IssueServices,
  question: Question,
  { limit = listed }: QueryOf<typeof listNewErrorsCall>,
): Promise<Reply> {
  const rows = await findNewErrors(question)
  const byGroup = new Map(rows.map((row) => [row.group, row]))
  const issues = await findNotedIssues(services, question.environmentId, [...byGroup.keys()])
  const fresh = issues
    .filter(({ firstSeenAt }) => firstSeenAt.getTime() >= question.from)
    .map((issue) => ({ issue, own: issue.groups.flatMap((group) => byGroup.get(group) ?? []) }))
  const several = fresh.filter(({ own }) => own.length > 1).map(({ issue }) => issue)
  const counts = await countIssues(question, several)
  const errors = fresh.flatMap(({ issue: { id }, own }) => {
    const error = toNewError(id, own)
    const sessions = counts.get(id)?.sessions
    return error === undefined ? [] : [sessions === undefined ? error : { ...error, sessions }]
  })
  const sorted = errors.sort(
    (left, right) =>
      right.sessions - left.sessions || right.count - left.count || (left.issue < right.issue ? -1 : 1),
  )
  return { ...periodOf(question), errors: sorted.slice(0, limit) }
}

function toNewError(id: string, own: readonly NewErrorRow[]): NewError | undefined {
  const [newest] = own.toSorted((left, right) => Number(right.last_at) - Number(left.last_at))
  if (newest === undefined) return undefined
  const { group, type, message, sessions, last_at: lastAt } = newest
  return {
    issue: group,
    id,
    type,
    message,
    count: own.reduce((sum, { count }) => sum + count, 0),
    sessions: Number(sessions),
    firstAt: new Date(Math.min(...own.map(({ first_at: at }) => Number(at)))).toISOString(),
    lastAt: new Date(Number(lastAt)).toISOString(),
  }
}
