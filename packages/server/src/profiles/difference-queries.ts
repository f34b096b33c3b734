// Time of functions by arm, clustered by what the split draws: sums over units, so that somebody with many profiles is one
// observation.

import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'
import { type Narrowed, profileRows } from './profile-rows.ts'

export interface Sides {
  flag: string
  control: string
  treatment: string
  /** Of the flag; none: the variations were chosen by rules. */
  splits: readonly string[]
}

const aNumber = /^\d{1,20}$/

/** The rows of both sides: `epoch_`, `side` (0 control, 1 treatment), `unit_`, and what sums are made of. */
function rowsOfSides(
  question: Question,
  narrowed: Narrowed,
  { flag, control, treatment, splits }: Sides,
): string {
  const { bind } = question
  const [first, second] = [control, treatment].map((variation) => bind(`${flag}=${variation}`, 'String'))
  const side = `if(has(flags, ${second}), 1, 0) AS side`
  const either = `(has(flags, ${first}) OR has(flags, ${second}))`
  const known = splits.filter((split) => aNumber.test(split)).join(', ')
  const kept = 'profile_id, session_id, stack, self_ms'
  if (known === '') {
    return `SELECT 0 AS epoch_, ${side}, user_hash AS unit_, ${kept} FROM ${profileRows(question, narrowed, either)}`
  }
  const ofSplit = `a -> a.1 IN (${known})`
  const arm = `arrayFirst(${ofSplit}, arms)`
  return `SELECT ${arm}.2 AS epoch_, ${side}, ${arm}.4 AS unit_, ${kept} FROM ${profileRows(question, narrowed, either, `arrayExists(${ofSplit}, arms)`)}`
}

export interface SideRow {
  epoch: number
  of: number
  units: string
  sessions: string
  n: string
  nn: string
  ms: number
}

export async function findSides(question: Question, narrowed: Narrowed, sides: Sides): Promise<SideRow[]> {
  return question.read<SideRow>(
    `SELECT epoch_ AS epoch, side AS of, count() AS units, sum(s) AS sessions, sum(k) AS n, sum(k * k) AS nn, sum(t) AS ms
    FROM (SELECT epoch_, side, unit_, uniqExact(profile_id) AS k, uniqExact(session_id) AS s, sum(self_ms) AS t
      FROM (${rowsOfSides(question, narrowed, sides)}) GROUP BY epoch_, side, unit_)
    GROUP BY epoch_, side`,
  )
}

export interface FrameRow {
  epoch: number
  of: number
  frame: string
  self_y: number
  self_yy: number
  self_ny: number
  total_y: number
  total_yy: number
  total_ny: number
}

/** Of the functions with the most time of their own, on both sides together. */
export async function findFrames(question: Question, narrowed: Narrowed, sides: Sides): Promise<FrameRow[]> {
  const rows = rowsOfSides(question, narrowed, sides)
  const folded = `SELECT epoch_, side, unit_, stack AS id, sum(self_ms) AS ms FROM (${rows}) GROUP BY epoch_, side, unit_, stack`
  const counts = `SELECT epoch_, side, unit_, uniqExact(profile_id) AS k FROM (${rows}) GROUP BY epoch_, side, unit_`
  const hashed = `SELECT stack AS id, any(arrayDistinct(arrayMap(f -> cityHash64(f), frames))) AS hashes, any(cityHash64(frames[-1])) AS leaf
    FROM ${question.rowsOf('profile_stacks', `stack GLOBAL IN (SELECT stack FROM (${rows}))`)} GROUP BY stack`
  const top = `SELECT d.leaf AS leaf FROM (SELECT stack AS id, sum(self_ms) AS ms FROM (${rows}) GROUP BY stack) AS r
    INNER JOIN (${hashed}) AS d ON r.id = d.id GROUP BY d.leaf ORDER BY sum(r.ms) DESC LIMIT ${limits.profileFramesCompared}`
  const wanted = `SELECT id, leaf, arrayIntersect(hashes, (SELECT groupArray(leaf) FROM (${top}))) AS found FROM (${hashed})`
  const byUnit = `SELECT epoch_, side, unit_, f, sumIf(ms, leaf = f) AS s, sum(ms) AS t
    FROM (SELECT r.epoch_ AS epoch_, r.side AS side, r.unit_ AS unit_, r.ms AS ms, d.leaf AS leaf, arrayJoin(d.found) AS f
      FROM (${folded}) AS r INNER JOIN (${wanted}) AS d ON r.id = d.id)
    GROUP BY epoch_, side, unit_, f`
  return question.read<FrameRow>(
    `SELECT b.epoch_ AS epoch, b.side AS of, toString(b.f) AS frame, sum(b.s) AS self_y, sum(b.s * b.s) AS self_yy, sum(b.s * c.k) AS self_ny,
      sum(b.t) AS total_y, sum(b.t * b.t) AS total_yy, sum(b.t * c.k) AS total_ny
    FROM (${byUnit}) AS b INNER JOIN (${counts}) AS c ON b.epoch_ = c.epoch_ AND b.side = c.side AND b.unit_ = c.unit_
    GROUP BY b.epoch_, b.side, b.f`,
  )
}

/** The functions that hashes stand for. */
export async function findFrameTexts(
  question: Question,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const known = hashes.filter((hash) => aNumber.test(hash)).join(', ')
  if (known === '') return new Map()
  const rows = await question.read<{ hash: string; words: string }>(
    `SELECT toString(cityHash64(one)) AS hash, any(one) AS words
    FROM (SELECT arrayJoin(frames) AS one FROM ${question.rowsOf('profile_stacks')})
    WHERE cityHash64(one) IN (${known}) GROUP BY hash`,
  )
  return new Map(rows.map(({ hash, words }) => [hash, words]))
}
