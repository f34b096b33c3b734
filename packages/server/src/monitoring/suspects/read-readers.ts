// Users by all that they read in the period, and to how many of each group of them it happened: the one statement behind every
// list of suspects, whether one thing is asked about or the issues of a list.

import type { HitsByGroup, ReadersOf } from '@telltale/core/guard/read-variations'
import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'

/** What may have happened to a session. */
export interface Outcomes {
  count: number
  /** An array of the places, from 1, of those that did. */
  places(question: Question): string
}

export interface Readers {
  groups: ReadersOf[]
  /** For each outcome. */
  hits: HitsByGroup[]
  /** The part of all users that they are. */
  sampled: number
}

/**
 * Where many flags make nearly every user a group, users are sampled, whatever they read: the smallest groups left out would be
 * those of whoever reads what few do.
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
  const question = given.with({})
  const places = outcomes.places(question)
  const counted = 'sumMap(places, arrayMap(p -> toUInt32(1), places))'
  return question.read<Row>(
    `SELECT read, toUInt32(count()) AS people, tupleElement(${counted}, 1) AS met,
      CAST(tupleElement(${counted}, 2), 'Array(UInt32)') AS hits, sum(count()) OVER () AS everyone
    FROM (
      SELECT user_hash, arraySort(groupUniqArrayArray(flags)) AS read, groupUniqArrayArray(${places}) AS places
      FROM ${question.sessions('bot = 0', `cityHash64(user_hash) % ${oneIn} = 0`)} GROUP BY user_hash HAVING notEmpty(read)
    )
    GROUP BY read ORDER BY cityHash64(read) LIMIT ${limits.suspectGroups + 1}`,
  )
}

/** Issues that may be asked about in the period: those with fewer users are never said to have a suspect. */
export async function countIssuesAsked(given: Question, fewestHits: number): Promise<number> {
  const question = given.with({})
  const [row] = await question.read<{ issues: string }>(
    `SELECT count() AS issues FROM (
      SELECT arrayJoin(err_groups) AS met FROM ${question.sessions('bot = 0', 'notEmpty(err_groups)')}
      GROUP BY met HAVING uniqExact(user_hash) >= ${fewestHits})`,
  )
  return Math.max(1, Number(row?.issues ?? 0))
}
