import type { ReplyOf } from '@telltale/core/contract/call'
import type { listSuspects as Listing } from '@telltale/core/contract/suspects'
import { fewestHits, type Suspect, suspectsAmong } from '@telltale/core/guard/rank-suspects'
import { settleSuspect } from '@telltale/core/guard/settle-suspect'
import { limits } from '@telltale/core/limits'
import type { Filter } from '@telltale/core/query/filter'
import type { Services } from '../../platform/services.ts'
import { ofBrowsers, ofServers } from '../explore/conditions.ts'
import { noJoinedGroups, widenIssues } from '../explore/joined-groups.ts'
import { periodOf, readFilter } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { renderForEvents } from '../explore/render-filter.ts'
import { renderForSessions } from '../explore/render-session-filter.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { findSplitFlags } from './queries.ts'
import { countIssuesAsked, type Outcomes, readReaders } from './read-readers.ts'

const day = 86_400_000

export async function listSuspects(
  { db }: Pick<Services, 'db'>,
  given: Question,
  of: string,
): Promise<ReplyOf<typeof Listing>> {
  const filter = widenIssues(readFilter(of, '?of'), given.joined ?? noJoinedGroups)
  const question = await chooseSample(given)
  const among = await findAmong(question, filter)
  const [{ groups, hits: byOutcome, sampled: share }, outcomes] = await Promise.all([
    readReaders(question, happening(filter, among)),
    // A single issue is one of all issues of the period, so all count as comparisons.
    isOfIssue(filter) ? countIssuesAsked(question, fewestHits, among) : 1,
  ])
  const sampled = share / sampleOf(question)
  const hits = byOutcome[0] ?? new Map<number, number>()
  const { suspects, looks } = suspectsAmong(groups)(hits, outcomes)
  const shown = suspects.slice(0, limits.suspectsShown)
  const split = await findSplitFlags(db, question.environmentId, [...new Set(shown.flatMap(flagsOf))])
  return {
    ...periodOf(question),
    sampled,
    people: groups.reduce((sum, { people }) => sum + people, 0),
    hits: [...hits.values()].reduce((sum, hit) => sum + hit, 0),
    looks,
    outcomes,
    items: shown.map((suspect) => ({
      reads: suspect.reads.map(toRead).map((read) => ({ ...read, byChance: split.has(read.flag) })),
      people: { inside: suspect.inside.total, outside: suspect.outside.total },
      hits: { inside: suspect.inside.hits, outside: suspect.outside.hits },
      times: { ...suspect.times, upper: Number.isFinite(suspect.times.upper) ? suspect.times.upper : null },
      apart: suspect.apart,
      share: Math.min(1, suspect.share),
      byChance: flagsOf(suspect).every((flag) => split.has(flag)),
      settle: settleOf(suspect, { question, sampled }),
    })),
  }
}

const isOfIssue = ({ chips }: Filter) => chips.some(({ field }) => field === 'issue')

/** An issue that mostly servers report is compared among the users of servers. */
async function findAmong(given: Question, filter: Filter): Promise<Outcomes['among']> {
  if (!isOfIssue(filter)) return 'sessions'
  const question = given.with({ filter })
  const [row] = await question.read<{ most: number }>(
    `SELECT countIf(${ofServers}) > countIf(${ofBrowsers}) AS most FROM ${question.events("kind = 'error'")}`,
  )
  return row?.most === 1 ? 'servers' : 'sessions'
}

const happening = (filter: Filter, among: Outcomes['among']): Outcomes => ({
  count: 1,
  among,
  places: ({ bind, from, to }) => {
    const render = among === 'servers' ? renderForEvents : renderForSessions
    const conditions = render({ filter, from, to }, bind).map((condition) => `(${condition})`)
    return `if(${conditions.join(' AND ')}, [toUInt32(1)], [])`
  },
})

export const toRead = (read: string) => {
  const at = read.indexOf('=')
  return { flag: read.slice(0, at), variation: read.slice(at + 1) }
}

const flagsOf = ({ reads }: Suspect) => reads.map((read) => toRead(read).flag)

/** Assumes as many users per day as in the period. */
function settleOf(suspect: Suspect, { question, sampled }: { question: Question; sampled: number }) {
  const settling = settleSuspect(suspect)
  const days = Math.max(1, (question.to - question.from) / day)
  const perDay = (suspect.inside.total + suspect.outside.total) / sampled / days
  return settling === undefined || perDay === 0 ? null : { ...settling, days: settling.people / perDay }
}
