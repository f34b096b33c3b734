import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listIssues as listIssuesCall } from '@telltale/core/contract/issues'
import { readPage } from '../../platform/http/page.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { findNotedIssues } from './find-noted-issues.ts'
import { stateAt, toIssue } from './issue.ts'
import { findLifts, strongestOf } from './issue-lifts.ts'
import type { IssueServices } from './note-groups.ts'
import type { FoundIssue } from './queries.ts'
import { countGroups, countIssues, countParts, type GroupCount, type IssueCount } from './seen-errors.ts'

type Query = QueryOf<typeof listIssuesCall>
type Reply = ReplyOf<typeof listIssuesCall>
/** An issue with its counts of the period. */
type SeenIssue = FoundIssue & IssueCount

/** Points of the sparkline. */
export const parts = 24

export async function listIssues(services: IssueServices, question: Question, query: Query): Promise<Reply> {
  const now = services.clock()
  const [seen, compared] = await Promise.all([
    findSeenIssues(services, question),
    chooseSample(question, { exact: query.exact }),
  ])
  const found = seen.filter((issue) => isFound(issue, query))
  const { state } = query
  const sorted = found
    .filter((issue) => state === undefined || isIn(state, stateAt(issue, now)))
    .sort(
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
  const [series, lifts] = await Promise.all([
    countParts(question, { issues: page.items, parts }),
    findLifts(compared, page.items),
  ])
  return {
    items: page.items.map((issue) => ({
      ...toIssue(issue, now),
      events: issue.events,
      sessions: issue.sessions,
      users: issue.users,
      series: series.get(issue.id) ?? [],
      lift: strongestOf(lifts.get(issue.id)),
    })),
    next: page.next,
    sample: sampleOf(compared),
    states: countStates(found, now),
  }
}

/** Every issue with an error in the period, with its newest error there. New groups get an issue first. */
async function findSeenIssues(services: IssueServices, question: Question): Promise<SeenIssue[]> {
  const groups = await countGroups(question)
  const names = groups.map(({ group }) => group)
  const found = await findNotedIssues(services, question.environmentId, names)
  const byGroup = new Map(groups.map((group) => [group.group, group]))
  const seen = found.map((issue) => ({
    issue,
    own: issue.groups.flatMap((name) => byGroup.get(name) ?? []),
  }))
  const counts = await countIssues(
    question,
    seen.filter(({ own }) => own.length > 1).map(({ issue }) => issue),
  )
  return seen.map(({ issue, own }) => ({ ...withNewest(issue, own), ...counts.get(issue.id) }))
}

function withNewest(issue: FoundIssue, own: readonly GroupCount[]): SeenIssue {
  const [newest] = own.toSorted((left, right) => right.last - left.last)
  if (newest === undefined) return { ...issue, events: 0, sessions: 0, users: 0 }
  const { last, version, events, sessions, users } = newest
  return { ...issue, events, sessions, users, lastSeenAt: new Date(last), lastSeenVersion: version }
}

function isFound(issue: FoundIssue, { assignee, search }: Query): boolean {
  if (assignee !== undefined && issue.assigneeId !== assignee) return false
  const { type, message, culprit } = issue
  return search === undefined || `${type}: ${message} ${culprit}`.toLowerCase().includes(search.toLowerCase())
}

function isIn(wanted: NonNullable<Query['state']>, state: FoundIssue['state']): boolean {
  return wanted === 'open' ? state === 'unresolved' || state === 'regressed' : state === wanted
}

function countStates(issues: readonly FoundIssue[], now: Date): Reply['states'] {
  const counts = { unresolved: 0, resolved: 0, regressed: 0, ignored: 0 }
  for (const issue of issues) counts[stateAt(issue, now)] += 1
  return counts
}

function rankOf(issue: SeenIssue, sort: Query['sort'] = 'users'): number {
  if (sort === 'last-seen') return issue.lastSeenAt.getTime()
  if (sort === 'first-seen') return issue.firstSeenAt.getTime()
  return issue[sort]
}

/** Whether it sorts after the end of the previous page, even if counts have changed since. */
function isAfter(issue: SeenIssue, after: string, sort: Query['sort']): boolean {
  const [rank = '', id = ''] = after.split(' ')
  const own = rankOf(issue, sort)
  return own < Number(rank) || (own === Number(rank) && issue.id > id)
}
