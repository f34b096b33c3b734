// Time of functions by arm, clustered by the unit of the split, so that a user with many profiles is one
// observation.

import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'
import { type Profiled, weighedProfileRows } from './profile-rows.ts'
import { listOf } from './queries.ts'

export interface Sides {
  flag: string
  control: string
  treatment: string
  /** Splits of the flag; empty if rules chose the variations. */
  splits: readonly string[]
}

/**
 * The rows of both sides: `epoch_`, `side` (0 control, 1 treatment), `unit_`, and the columns to sum. Times are weighted
 * by `share`, so that arms and pages that were profiled more often do not count more.
 */
function rowsOfSides(
  question: Question,
  narrowed: Profiled,
  { flag, control, treatment, splits }: Sides,
): string {
  const { bind } = question
  const [first, second] = [control, treatment].map((variation) => bind(`${flag}=${variation}`, 'String'))
  const side = `if(has(flags, ${second}), 1, 0) AS side`
  const either = `(has(flags, ${first}) OR has(flags, ${second}))`
  const known = listOf(splits)
  const kept = 'profile_id, session_id, version, stack, share, self_ms * share AS ms'
  if (splits.length === 0) {
    return `SELECT 0 AS epoch_, ${side}, user_hash AS unit_, ${kept} FROM ${weighedProfileRows(question, narrowed, either)}`
  }
  const ofSplit = `a -> a.1 IN (${known})`
  const arm = `arrayFirst(${ofSplit}, arms)`
  return `SELECT ${arm}.2 AS epoch_, ${side}, ${arm}.4 AS unit_, ${kept} FROM ${weighedProfileRows(question, narrowed, either, `arrayExists(${ofSplit}, arms)`)}`
}

export interface SideRow {
  epoch: number
  of: number
  units: string
  sessions: string
  /** As stored. */
  profiles: string
  /** Weighted, as everything that follows. */
  n: number
  nn: number
  y: number
  yy: number
  ny: number
}

export async function findSides(question: Question, narrowed: Profiled, sides: Sides): Promise<SideRow[]> {
  return question.read<SideRow>(
    `SELECT epoch_ AS epoch, side AS of, count() AS units, sum(s) AS sessions, sum(c) AS profiles, sum(k) AS n, sum(k * k) AS nn, sum(t) AS y, sum(t * t) AS yy, sum(t * k) AS ny
    FROM (SELECT epoch_, side, unit_, sum(w) AS k, count() AS c, uniqExact(of_session) AS s, sum(own) AS t
      FROM (SELECT epoch_, side, unit_, any(share) AS w, any(session_id) AS of_session, sum(ms) AS own
        FROM (${rowsOfSides(question, narrowed, sides)}) GROUP BY epoch_, side, unit_, profile_id)
      GROUP BY epoch_, side, unit_)
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
  /** Product with the time of everything that ran. */
  self_ay: number
  total_y: number
  total_yy: number
  total_ny: number
}

/** The stacks of both sides with the most time are read. */
const stacksCompared = 2_000

interface ComparedStacks {
  stacks: string[]
  /** The functions with the most time, by hash. */
  functions: string[]
  /** Versions of the application, by the same hash. */
  versions: ReadonlyMap<string, string>
}

/**
 * The number of functions chosen by self time; the rest are chosen by total time, because functions without
 * self time can change through what they call.
 */
const byOwnTime = 0.75 * limits.profileFramesCompared

export async function findCompared(
  question: Question,
  narrowed: Profiled,
  sides: Sides,
): Promise<ComparedStacks> {
  const top = await question.read<{ id: string; all_ms: number; latest: string }>(
    `SELECT toString(stack) AS id, sum(ms) AS all_ms, toString(max(version)) AS latest FROM (${rowsOfSides(question, narrowed, sides)})
    GROUP BY stack ORDER BY all_ms DESC LIMIT ${stacksCompared}`,
  )
  const stacks = top.map(({ id }) => id)
  const found = await question.read<{ id: string; hashes: string[] }>(
    `SELECT toString(stack) AS id, any(arrayMap(f -> toString(cityHash64(f)), frames)) AS hashes
    FROM ${question.rowsOf('profile_stacks', `stack IN (${listOf(stacks)})`)} GROUP BY stack`,
  )
  const byStack = new Map(top.map((stack) => [stack.id, stack]))
  const [own, all] = [new Map<string, number>(), new Map<string, number>()]
  const versions = new Map<string, string>()
  for (const { id, hashes } of found) {
    const { all_ms: ms = 0, latest = '' } = byStack.get(id) ?? {}
    const leaf = hashes.at(-1)
    if (leaf !== undefined) own.set(leaf, (own.get(leaf) ?? 0) + ms)
    for (const hash of new Set(hashes)) {
      all.set(hash, (all.get(hash) ?? 0) + ms)
      if (latest > (versions.get(hash) ?? '')) versions.set(hash, latest)
    }
  }
  const functions = new Set([...mostOf(own).slice(0, byOwnTime), ...mostOf(all)])
  return { stacks, functions: [...functions].slice(0, limits.profileFramesCompared), versions }
}

function mostOf(times: ReadonlyMap<string, number>): string[] {
  return [...times].sort(([, one], [, other]) => other - one).map(([hash]) => hash)
}

export async function findFrames(
  question: Question,
  narrowed: Profiled,
  { sides, stacks, functions }: ComparedStacks & { sides: Sides },
): Promise<FrameRow[]> {
  const rows = rowsOfSides(question, narrowed, sides)
  const counts = `SELECT epoch_, side, unit_, sum(w) AS k, sum(own) AS a
    FROM (SELECT epoch_, side, unit_, any(share) AS w, sum(ms) AS own FROM (${rows}) GROUP BY epoch_, side, unit_, profile_id)
    GROUP BY epoch_, side, unit_`
  const wanted = `SELECT stack AS id, any(cityHash64(frames[-1])) AS leaf,
      any(arrayFilter(h -> h IN (${listOf(functions)}), arrayDistinct(arrayMap(f -> cityHash64(f), frames)))) AS found
    FROM ${question.rowsOf('profile_stacks', `stack IN (${listOf(stacks)})`)} GROUP BY stack`
  const byUnit = `SELECT epoch_, side, unit_, f, sumIf(ms, leaf = f) AS s, sum(ms) AS t
    FROM (SELECT r.epoch_ AS epoch_, r.side AS side, r.unit_ AS unit_, r.ms AS ms, d.leaf AS leaf, arrayJoin(d.found) AS f
      FROM (${rows}) AS r INNER JOIN (${wanted}) AS d ON r.stack = d.id)
    GROUP BY epoch_, side, unit_, f`
  return question.read<FrameRow>(
    `SELECT b.epoch_ AS epoch, b.side AS of, toString(b.f) AS frame, sum(b.s) AS self_y, sum(b.s * b.s) AS self_yy, sum(b.s * c.k) AS self_ny, sum(b.s * c.a) AS self_ay,
      sum(b.t) AS total_y, sum(b.t * b.t) AS total_yy, sum(b.t * c.k) AS total_ny
    FROM (${byUnit}) AS b INNER JOIN (${counts}) AS c ON b.epoch_ = c.epoch_ AND b.side = c.side AND b.unit_ = c.unit_
    GROUP BY b.epoch_, b.side, b.f`,
  )
}

/** The functions behind the hashes, in some of these stacks. */
export async function findFrameTexts(
  question: Question,
  { stacks, functions }: ComparedStacks,
): Promise<Map<string, string>> {
  const rows = await question.read<{ hash: string; words: string }>(
    `SELECT toString(cityHash64(one)) AS hash, any(one) AS words
    FROM (SELECT arrayJoin(arrayDistinct(frames)) AS one FROM ${question.rowsOf('profile_stacks', `stack IN (${listOf(stacks)})`)})
    WHERE cityHash64(one) IN (${listOf(functions)}) GROUP BY hash`,
  )
  return new Map(rows.map(({ hash, words }) => [hash, words]))
}
