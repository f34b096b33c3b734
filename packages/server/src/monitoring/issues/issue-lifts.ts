// The flag variations that are more common among an issue's users: its suspects, with the figures of the list
// of suspects. All issues of the period count as comparisons, whichever page of the list is shown.

import type { ReplyOf } from '@telltale/core/contract/call'
import type { getIssue } from '@telltale/core/contract/issues'
import { fewestHits, type Suspect, suspectsAmong } from '@telltale/core/guard/rank-suspects'
import type { Question } from '../explore/question.ts'
import { sampleOf } from '../explore/sample.ts'
import { toRead } from '../suspects/list-suspects.ts'
import { countIssuesAsked, readReaders } from '../suspects/read-readers.ts'
import { type GroupedIssue, locationOf } from './seen-errors.ts'

export type Lift = ReplyOf<typeof getIssue>['lifts'][number]

const liftsShown = 20

/**
 * For each issue, strongest first; only significant ones. Those of servers are compared among the users of servers.
 * From a sample of users, if the question is about one.
 */
export async function findLifts(
  question: Question,
  issues: readonly LiftedIssue[],
): Promise<Map<string, Lift[]>> {
  const [ofServers, ofBrowsers] = [true, false].map((isOfServers) =>
    issues.filter(({ sessions }) => (sessions === 0) === isOfServers),
  )
  const found = await Promise.all([
    liftsAmong(question, ofBrowsers ?? [], 'sessions'),
    liftsAmong(question, ofServers ?? [], 'servers'),
  ])
  return new Map(found.flatMap((lifts) => [...lifts]))
}

/** What servers report has no sessions. */
type LiftedIssue = GroupedIssue & { sessions: number }

async function liftsAmong(
  question: Question,
  issues: readonly GroupedIssue[],
  among: 'sessions' | 'servers',
): Promise<Map<string, Lift[]>> {
  if (issues.length === 0) return new Map()
  const met = among === 'servers' ? '[err_group]' : 'err_groups'
  const places = `arrayFilter(p -> p > 0, arrayMap(g -> ${locationOf(issues, 'g')}, ${met}))`
  const [{ groups, hits }, requested] = await Promise.all([
    readReaders(question, { count: issues.length, among, places: () => places }),
    countIssuesAsked(question, fewestHits, among),
  ])
  const rank = suspectsAmong(groups)
  return new Map(
    issues.map(({ id }, index) => {
      const { suspects } = rank(hits[index] ?? new Map(), requested)
      return [id, suspects.slice(0, liftsShown).flatMap((suspect) => toLift(suspect, sampleOf(question)))]
    }),
  )
}

/** The one to show in a list. */
export const strongestOf = (lifts: readonly Lift[] | undefined): Lift | null => lifts?.[0] ?? null

/** `oneIn`: of how many users one was compared. */
function toLift({ reads, inside, outside, times }: Suspect, oneIn: number): Lift[] {
  const [first, second] = reads.map(toRead)
  if (first === undefined) return []
  return [
    {
      ...first,
      and: second ?? null,
      users: inside.total * oneIn,
      hits: inside.hits * oneIn,
      otherUsers: outside.total * oneIn,
      otherHits: outside.hits * oneIn,
      ratio: times.ratio,
      lower: times.lower,
      upper: Number.isFinite(times.upper) ? times.upper : null,
    },
  ]
}
