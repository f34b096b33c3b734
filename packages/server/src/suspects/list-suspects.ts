import type { ReplyOf } from '@telltale/core/contract/call'
import type { listSuspects as Listing } from '@telltale/core/contract/suspects'
import {
  peopleToSettle,
  type ReadersOf,
  rankSuspects,
  type Suspect,
} from '@telltale/core/guard/rank-suspects'
import { limits } from '@telltale/core/limits'
import { noJoinedGroups, widenIssues } from '../explore/joined-groups.ts'
import { periodOf, readFilter } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { renderForSessions } from '../explore/render-session-filter.ts'
import type { Services } from '../services.ts'
import { findSplitFlags } from './queries.ts'

const day = 86_400_000

export async function listSuspects(
  { db }: Pick<Services, 'db'>,
  question: Question,
  of: string,
): Promise<ReplyOf<typeof Listing>> {
  const { groups, sampled } = await countReaders(question, of)
  const { suspects, looks } = rankSuspects(groups)
  const shown = suspects.slice(0, limits.suspectsShown)
  const split = await findSplitFlags(db, question.environmentId, [...new Set(shown.flatMap(flagsOf))])
  const sum = (value: (group: ReadersOf) => number) => groups.reduce((all, group) => all + value(group), 0)
  return {
    ...periodOf(question),
    sampled,
    people: sum(({ people }) => people),
    hits: sum(({ hits }) => hits),
    looks,
    items: shown.map((suspect) => ({
      reads: suspect.reads.map(toRead).map((read) => ({ ...read, byChance: split.has(read.flag) })),
      people: { inside: suspect.inside.total, outside: suspect.outside.total },
      hits: { inside: suspect.inside.hits, outside: suspect.outside.hits },
      times: suspect.times,
      apart: suspect.apart,
      share: Math.min(1, suspect.share),
      byChance: flagsOf(suspect).every((flag) => split.has(flag)),
      settle: settleOf(suspect, { question, sampled }),
    })),
  }
}

const toRead = (read: string) => {
  const at = read.indexOf('=')
  return { flag: read.slice(0, at), variation: read.slice(at + 1) }
}

const flagsOf = ({ reads }: Suspect) => reads.map((read) => toRead(read).flag)

/** As many people come to it in a day as came in the period. */
function settleOf(suspect: Suspect, { question, sampled }: { question: Question; sampled: number }) {
  const people = peopleToSettle(suspect)
  const days = Math.max(1, (question.to - question.from) / day)
  const perDay = (suspect.inside.total + suspect.outside.total) / sampled / days
  return people === undefined || perDay === 0 ? null : { people, days: people / perDay }
}

interface Readers {
  groups: ReadersOf[]
  /** The part of all people that they are. */
  sampled: number
}

/**
 * People by all that they read in the period, and to how many of each it happened. Where many flags make nearly everybody a
 * group, people are drawn, whatever they read: the smallest groups left out would be those of whoever reads what few do.
 */
async function countReaders(question: Question, of: string): Promise<Readers> {
  const everybody = await readGroups(question, of, 1)
  if (everybody.length <= limits.suspectGroups) return { groups: everybody, sampled: 1 }
  const oneIn = Math.ceil(Number(everybody[0]?.everybody ?? 0) / limits.suspectGroups)
  const drawn = await readGroups(question, of, oneIn)
  return { groups: drawn.slice(0, limits.suspectGroups), sampled: 1 / oneIn }
}

async function readGroups(given: Question, of: string, oneIn: number) {
  const question = given.with({})
  const { bind, from, to } = question
  const filter = widenIssues(readFilter(of, '?of'), question.joined ?? noJoinedGroups)
  const happened = renderForSessions({ filter, from, to }, bind).map((condition) => `(${condition})`)
  return question.read<ReadersOf & { everybody: string }>(
    `SELECT read, toUInt32(count()) AS people, toUInt32(sum(hit)) AS hits, sum(count()) OVER () AS everybody FROM (
      SELECT user_hash, arraySort(groupUniqArrayArray(flags)) AS read, max(${happened.join(' AND ')}) AS hit
      FROM ${question.sessions('bot = 0', `cityHash64(user_hash) % ${oneIn} = 0`)} GROUP BY user_hash HAVING notEmpty(read))
    GROUP BY read ORDER BY cityHash64(read) LIMIT ${limits.suspectGroups + 1}`,
  )
}
