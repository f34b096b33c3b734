import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listIssues as listIssuesCall } from '@telltale/core/contract/issues'
import { readPage } from '../http/page.ts'
import { readPeriod } from '../intake/read-period.ts'
import type { Services } from '../services.ts'
import { stateAt, toIssue } from './issue.ts'
import { noteGroups } from './note-issues.ts'
import { type FoundIssue, findIssuesOf } from './queries.ts'
import {
  countGroups,
  countIssues,
  countParts,
  type ErrorScope,
  type GroupCount,
  type IssueCount,
} from './seen-errors.ts'

type Query = QueryOf<typeof listIssuesCall>
type Reply = ReplyOf<typeof listIssuesCall>
/** An issue with what was seen of it in the period. */
type SeenIssue = FoundIssue & IssueCount

/** Parts of a small chart. */
export const parts = 24

export async function listIssues(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  environmentId: string,
  query: Query,
): Promise<Reply> {
  const { telemetry, clock } = services
  const now = clock()
  const scope: ErrorScope = { environmentId, ...readPeriod(query, now) }
  const seen = await findSeenIssues(services, scope)
  const wanted = seen.filter((issue) => isWanted(issue, query, now))
  const sorted = wanted.sort(
    (left, right) => rankOf(right, query.sort) - rankOf(left, query.sort) || (left.id < right.id ? -1 : 1),
  )

  const page = await readPage(query, {
    find: async (after, count) => {
      const begin = after === undefined ? 0 : sorted.findIndex((issue) => isAfter(issue, after, query.sort))
      return begin < 0 ? [] : sorted.slice(begin, begin + count)
    },
    keyOf: (issue) => `${rankOf(issue, query.sort)} ${issue.id}`,
    toItem: (issue) => issue,
  })
  const series = await countParts(telemetry, scope, { issues: page.items, parts })
  return {
    items: page.items.map((issue) => ({
      ...toIssue(issue, now),
      events: issue.events,
      sessions: issue.sessions,
      users: issue.users,
      series: series.get(issue.id) ?? [],
    })),
    next: page.next,
  }
}

/** Every issue with an error in the period, with what is newest of it there. What is new to us is noted first. */
export async function findSeenIssues(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  scope: ErrorScope,
): Promise<SeenIssue[]> {
  const { db, telemetry } = services
  const { environmentId } = scope
  const groups = await countGroups(telemetry, scope)
  const names = groups.map(({ group }) => group)
  let found = await findIssuesOf(db, environmentId, names)
  const known = new Set(found.flatMap(({ groups: own }) => own))
  const fresh = names.filter((name) => !known.has(name))
  if (fresh.length > 0) {
    await noteGroups(services, environmentId, fresh)
    found = await findIssuesOf(db, environmentId, names)
  }
  const byGroup = new Map(groups.map((group) => [group.group, group]))
  const merged = found.filter((issue) => issue.groups.length > 1)
  const counts =
    merged.length === 0 ? new Map<string, IssueCount>() : await countIssues(telemetry, scope, merged)
  return found.map((issue) => ({ ...withNewest(issue, byGroup), ...counts.get(issue.id) }))
}

function withNewest(issue: FoundIssue, byGroup: ReadonlyMap<string, GroupCount>): SeenIssue {
  let newest: GroupCount | undefined
  for (const name of issue.groups) {
    const group = byGroup.get(name)
    if (group !== undefined && group.last > (newest?.last ?? 0)) newest = group
  }
  if (newest === undefined) return { ...issue, events: 0, sessions: 0, users: 0 }
  const { last, version, message, events, sessions, users } = newest
  return { ...issue, events, sessions, users, lastSeenAt: new Date(last), lastSeenVersion: version, message }
}

function isWanted(issue: FoundIssue, { state, assignee, q }: Query, now: Date): boolean {
  const is = stateAt(issue, now)
  if (state === 'open' ? is !== 'unresolved' && is !== 'regressed' : state !== undefined && is !== state)
    return false
  if (assignee !== undefined && issue.assigneeId !== assignee) return false
  const text = q?.toLowerCase()
  const { type, message, culprit } = issue
  return text === undefined || `${type}: ${message} ${culprit}`.toLowerCase().includes(text)
}

function rankOf(issue: SeenIssue, sort: Query['sort'] = 'users'): number {
  if (sort === 'last-seen') return issue.lastSeenAt.getTime()
  if (sort === 'first-seen') return issue.firstSeenAt.getTime()
  return issue[sort]
}

/** Whether it stands behind the place where the page before ended, also when counts have moved since. */
function isAfter(issue: SeenIssue, after: string, sort: Query['sort']): boolean {
  const [rank = '', id = ''] = after.split(' ')
  const own = rankOf(issue, sort)
  return own < Number(rank) || (own === Number(rank) && issue.id > id)
}
