import type { ReplyOf } from '@telltale/core/contract/call'
import type { getProfileDifference } from '@telltale/core/contract/profiles'
import { limits } from '@telltale/core/limits'
import { meanDifference } from '@telltale/core/statistics/mean-difference'
import type { StageSums } from '@telltale/core/statistics/sums'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import {
  type FrameRow,
  findCompared,
  findFrames,
  findFrameTexts,
  findSides,
  type SideRow,
  type Sides,
} from './difference-queries.ts'
import { mapProfile } from './map-profile.ts'
import { readUsualInclusion } from './profile-rows.ts'
import { type Reading, stagesOf } from './stages-of.ts'

type Reply = ReplyOf<typeof getProfileDifference>
type Compared = Reply['frames'][number]['self']

interface DifferenceQuery extends Sides {
  page: string | undefined
  projectId: string
}

/** For all intervals of a response together. */
const level = 0.05
const fewestUnits = 10
/** Self time and total time. */
const perFrame = 2

export async function getDifference(
  question: Question,
  mapper: StackMapper,
  requested: DifferenceQuery,
): Promise<Reply> {
  const { page, projectId } = requested
  const profiled = { page, usual: await readUsualInclusion(question, { page }) }
  const [sides, compared] = await Promise.all([
    findSides(question, profiled, requested),
    findCompared(question, profiled, requested),
  ])
  const [rows, texts] = await Promise.all([
    findFrames(question, profiled, { ...compared, sides: requested }),
    findFrameTexts(question, compared),
  ])
  const byFrame = new Map<string, FrameRow[]>()
  for (const row of rows) byFrame.set(row.frame, [...(byFrame.get(row.frame) ?? []), row])
  const hashes = [...byFrame.keys()]
  const frames = await mapProfile(mapper, projectId, {
    frames: hashes.map((hash) => ({
      text: texts.get(hash) ?? '',
      version: compared.versions.get(hash) ?? '',
    })),
    page,
  })
  const alpha = level / (1 + perFrame * hashes.length)
  const items = hashes.flatMap((hash, index) => {
    const frame = frames[index]
    const found = byFrame.get(hash) ?? []
    if (frame === undefined) return []
    const compare = (of: 'self' | 'total') => toCompared(stagesOf(sides, timesOf(found, of)), alpha)
    return [{ frame, self: compare('self'), total: compare('total') }]
  })
  const [control, treatment] = [
    describeSide(sides, 0, requested.control),
    describeSide(sides, 1, requested.treatment),
  ]
  const isEnough = ({ profiles, units }: Reply['control']) =>
    profiles >= limits.profileMinimum && units >= fewestUnits
  return {
    ...periodOf(question),
    control,
    treatment,
    all: toCompared(
      stagesOf(sides, (all) => all),
      alpha,
    ),
    comparable: requested.splits.length > 0,
    enough: isEnough(control) && isEnough(treatment),
    frames: items.sort((one, other) => Math.abs(other.self.change) - Math.abs(one.self.change)),
  }
}

function describeSide(rows: readonly SideRow[], side: number, variation: string): Reply['control'] {
  const of = rows.filter((row) => row.of === side)
  const sum = (read: (row: SideRow) => number) => of.reduce((total, row) => total + read(row), 0)
  const profiles = sum(({ profiles }) => Number(profiles))
  const totalMs = sum(({ y }) => y)
  const weighted = sum(({ n }) => n)
  return {
    variation,
    profiles,
    totalMs,
    sessions: sum(({ sessions }) => Number(sessions)),
    units: sum(({ units }) => Number(units)),
    msPerProfile: weighted === 0 ? 0 : totalMs / weighted,
  }
}

/** Units without the function count with 0. */
function timesOf(rows: readonly FrameRow[], of: 'self' | 'total'): Reading {
  return (all, at) => {
    const own = rows.find((row) => row.epoch === at.epoch && row.of === at.of)
    return { ...all, y: own?.[`${of}_y`] ?? 0, yy: own?.[`${of}_yy`] ?? 0, ny: own?.[`${of}_ny`] ?? 0 }
  }
}

function toCompared(stages: readonly StageSums[], alpha: number): Compared {
  const found = meanDifference(stages, alpha)
  if (found === undefined) return { control: 0, treatment: 0, change: 0, lower: 0, upper: 0, certain: false }
  return { ...found, certain: found.lower > 0 || found.upper < 0 }
}
