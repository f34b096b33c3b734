// The time of each function in two arms, and of everything else that ran, from the same reads as the difference
// of two flame graphs.
import type { ProfiledFrame } from '@telltale/core/contract/profiles'
import { limits } from '@telltale/core/limits'
import type { StageSums, UnitSums } from '@telltale/core/statistics/sums'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Question } from '../explore/question.ts'
import {
  type FrameRow,
  findCompared,
  findFrames,
  findFrameTexts,
  findSides,
  type Sides,
} from './difference-queries.ts'
import { mapProfile } from './map-profile.ts'
import { readUsualInclusion, weighedProfileRows } from './profile-rows.ts'
import { stagesOf } from './stages-of.ts'

interface ComparedFunction {
  /** The text in the dictionary of stacks. */
  text: string
  version: string
  part: StageSums[]
  rest: StageSums[]
}

/** Functions with the most self time; none if too few profiles were kept. */
export async function compareFunctions(question: Question, sides: Sides): Promise<ComparedFunction[]> {
  const profiled = { usual: await readUsualInclusion(question, {}) }
  const [counted, compared] = await Promise.all([
    findSides(question, profiled, sides),
    findCompared(question, profiled, sides),
  ])
  const profilesOf = (side: number) =>
    counted.filter(({ of }) => of === side).reduce((sum, { profiles }) => sum + Number(profiles), 0)
  if (Math.min(profilesOf(0), profilesOf(1)) < limits.profileMinimum) return []
  const few = { ...compared, functions: compared.functions.slice(0, limits.evidenceCandidates) }
  const [rows, texts] = await Promise.all([
    findFrames(question, profiled, { ...few, sides }),
    findFrameTexts(question, few),
  ])
  return few.functions.map((hash) => {
    const own = rows.filter(({ frame }) => frame === hash)
    const stages = (read: OwnReading) =>
      stagesOf(counted, (all, at) =>
        read(
          all,
          own.find(({ epoch, of }) => epoch === at.epoch && of === at.of),
        ),
      )
    return {
      text: texts.get(hash) ?? '',
      version: compared.versions.get(hash) ?? '',
      part: stages(partOf),
      rest: stages(restOf),
    }
  })
}

export async function nameFunctions(
  mapper: StackMapper,
  projectId: string,
  frames: readonly { text: string; version: string }[],
): Promise<ProfiledFrame[]> {
  return frames.length === 0 ? [] : mapProfile(mapper, projectId, { frames })
}

/** The page on which each function takes most of its time. */
export async function findPagesOf(
  question: Question,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (texts.length === 0) return new Map()
  const usual = await readUsualInclusion(question, {})
  const { bind } = question
  const wanted = texts.map((text) => bind(text, 'String')).join(', ')
  const stacks = `SELECT stack AS id, any(frames[-1]) AS leaf FROM ${question.rowsOf('profile_stacks', `frames[-1] IN (${wanted})`)} GROUP BY stack`
  const rows = await question.read<{ words: string; where: string }>(
    `SELECT words, argMax(p, ms) AS where
    FROM (SELECT d.leaf AS words, r.p AS p, sum(r.ms) AS ms
      FROM (SELECT toString(page) AS p, stack, self_ms * share AS ms FROM ${weighedProfileRows(question, { usual })}) AS r INNER JOIN (${stacks}) AS d ON r.stack = d.id
      GROUP BY words, p)
    GROUP BY words`,
  )
  return new Map(rows.map(({ words, where }) => [words, where]))
}

type OwnReading = (all: UnitSums, own: FrameRow | undefined) => UnitSums

const partOf: OwnReading = (all, own) => ({
  ...all,
  y: own?.self_y ?? 0,
  yy: own?.self_yy ?? 0,
  ny: own?.self_ny ?? 0,
})

const restOf: OwnReading = (all, own) => ({
  ...all,
  y: all.y - (own?.self_y ?? 0),
  yy: Math.max(0, all.yy - 2 * (own?.self_ay ?? 0) + (own?.self_yy ?? 0)),
  ny: all.ny - (own?.self_ny ?? 0),
})
