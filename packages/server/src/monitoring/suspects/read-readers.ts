// Users by the set of variations that they evaluated in the period, and how many of each group had the outcome:
// the one statement behind every list of suspects, for one outcome or for the issues of a list.

import type { HitsByGroup, ReadersOf } from '@telltale/core/guard/read-variations'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import { ofServers } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'

/** Outcomes of a session, or of an event of a server. */
export interface Outcomes {
  count: number
  /** Whose users are compared. Default: the users of browsers, by their sessions. */
  among?: 'sessions' | 'servers' | undefined
  /** SQL for an array of the indexes, from 1, of the outcomes that occurred. */
  places(question: Question): string
}

export interface Readers {
  groups: ReadersOf[]
  /** For each outcome. */
  hits: HitsByGroup[]
  /** The share of all users that was read. */
  sampled: number
}

/**
 * If many flags make nearly every user a separate group, users are sampled at random. Leaving out the smallest
 * groups would exclude users with rare variations.
 */
export async function readReaders(question: Question, outcomes: Outcomes): Promise<Readers> {
  const all = await readGroups(question, outcomes, 1)
  if (all.length <= limits.suspectGroups) return toReaders(all, outcomes, 1)
  const oneIn = Math.ceil(Number(all[0]?.everyone ?? 0) / limits.suspectGroups)
  const sampled = await readGroups(question, outcomes, oneIn)
  return toReaders(sampled.slice(0, limits.suspectGroups), outcomes, 1 / oneIn)
}

interface Row extends ReadersOf {
  met: number[]
  hits: number[]
  everyone: string
}

function toReaders(rows: readonly Row[], { count }: Outcomes, sampled: number): Readers {
  const hits = Array.from({ length: count }, () => new Map<number, number>())
  for (const [place, row] of rows.entries()) {
    for (const [index, outcome] of row.met.entries()) hits[outcome - 1]?.set(place, row.hits[index] ?? 0)
  }
  return { groups: rows.map(({ read, people }) => ({ read, people })), hits, sampled }
}

async function readGroups(given: Question, outcomes: Outcomes, oneIn: number): Promise<Row[]> {
  const question = askAmong(given, outcomes.among)
  const places = outcomes.places(question)
  const counted = 'sumMap(places, arrayMap(p -> toUInt32(1), places))'
  return question.read<Row>(
    `SELECT read, toUInt32(count()) AS people, tupleElement(${counted}, 1) AS met,
      CAST(tupleElement(${counted}, 2), 'Array(UInt32)') AS hits, sum(count()) OVER () AS everyone
    FROM (
      SELECT user_hash, arraySort(groupUniqArrayArray(flags)) AS read, groupUniqArrayArray(${places}) AS places
      FROM ${usersOf(question, outcomes, `cityHash64(user_hash) % ${oneIn} = 0`)} GROUP BY user_hash HAVING notEmpty(read)
    )
    GROUP BY read ORDER BY cityHash64(read) LIMIT ${limits.suspectGroups + 1}`,
  )
}

type Among = NonNullable<Outcomes['among']>

/** A new question, because its values belong to one statement. What servers send is not in sessions. */
const askAmong = (given: Question, among: Among | undefined) =>
  given.with(among === 'servers' ? { filter: emptyFilter } : {})

const usersOf = (question: Question, { among }: Outcomes, sample: string) =>
  among === 'servers'
    ? question.events(ofServers, 'user_hash != 0', sample)
    : question.sessions('bot = 0', sample)

/** Issues with enough users to have suspects in the period. */
export async function countIssuesAsked(given: Question, fewestHits: number, among?: Among): Promise<number> {
  const question = askAmong(given, among)
  const met =
    among === 'servers'
      ? `err_group AS met FROM ${question.events("kind = 'error'", ofServers, 'user_hash != 0')}`
      : `arrayJoin(err_groups) AS met FROM ${question.sessions('bot = 0', 'notEmpty(err_groups)')}`
  const [row] = await question.read<{ issues: string }>(
    `SELECT count() AS issues FROM (
      SELECT ${met}
      GROUP BY met HAVING uniqExact(user_hash) >= ${fewestHits})`,
  )
  return Math.max(1, Number(row?.issues ?? 0))
}
