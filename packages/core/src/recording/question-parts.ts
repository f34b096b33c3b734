// What a question lacks, from counts of its sessions: by arm, and within each arm by page, kind of device and version.

import { recordingLimits } from '../recording-limits.ts'
import type { OpenQuestion, QuestionPart } from './plan-orders.ts'

/** Sessions of a question in one arm, or in one part of it. */
export interface CountedPart {
  variation?: string | undefined
  /** At most one of these; none for the whole arm. */
  page?: string | undefined
  device?: string | undefined
  version?: string | undefined
  /** Of the last day: all, with a replay, and with a profile. */
  sessions: number
  replays: number
  profiles: number
}

interface CountedQuestion extends Pick<OpenQuestion, 'kind' | 'id'> {
  flag?: string | undefined
  /** The share of the sessions with the flag that each variation gets now. */
  arms: readonly { variation: string; share: number }[]
  /** Expected sessions of a day that read the flag. */
  sessionsPerDay: number
  counted: readonly CountedPart[]
}

const { orderReplaysOfArm, orderReplaysOfPart, orderProfilesOfArm, orderPagesAtMost } = recordingLimits
/** A part with hardly any sessions cannot be filled. */
const smallestShare = 0.01

/** Of a rollout or a split: every arm has the same parts, so that their sessions can be compared. */
export function partsOfArms({ flag, arms, sessionsPerDay, counted }: CountedQuestion): QuestionPart[] {
  const all = sumOf(counted.filter(isWhole))
  const kinds = partKinds(counted)
  const parts = [{}, ...kinds.filter((part) => shareOf(part, counted, all) >= smallestShare)]
  return parts.flatMap((part) =>
    arms.map(({ variation, share }): QuestionPart => {
      const found = counted.find((one) => one.variation === variation && isSame(one, part))
      const isArm = Object.keys(part).length === 0
      return {
        target: { flag, variation, ...part },
        sessionsPerDay: sessionsPerDay * share * (isArm ? 1 : shareOf(part, counted, all)),
        replay: {
          recorded: found?.replays ?? 0,
          wanted: isArm ? orderReplaysOfArm.value : orderReplaysOfPart.value,
        },
        profile: { recorded: found?.profiles ?? 0, wanted: isArm ? orderProfilesOfArm.value : 0 },
      }
    }),
  )
}

type PartKind = Pick<CountedPart, 'page' | 'device' | 'version'>

const isWhole = ({ page, device, version }: PartKind) => (page ?? device ?? version) === undefined

const isSame = (one: PartKind, other: PartKind) =>
  one.page === other.page && one.device === other.device && one.version === other.version

const sumOf = (counted: readonly CountedPart[]) => counted.reduce((sum, { sessions }) => sum + sessions, 0)

const shareOf = (part: PartKind, counted: readonly CountedPart[], all: number) =>
  all === 0 ? 0 : sumOf(counted.filter((one) => isSame(one, part))) / all

/** Of all arms together; of pages those with the most sessions. */
function partKinds(counted: readonly CountedPart[]): PartKind[] {
  const namesOf = (read: (one: CountedPart) => string | undefined) => {
    const sums = new Map<string, number>()
    for (const one of counted) {
      const name = read(one)
      if (name !== undefined && name !== '') sums.set(name, (sums.get(name) ?? 0) + one.sessions)
    }
    return [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  }
  return [
    ...namesOf(({ page }) => page)
      .slice(0, orderPagesAtMost.value)
      .map((page) => ({ page })),
    ...namesOf(({ device }) => device).map((device) => ({ device })),
    ...namesOf(({ version }) => version)
      .slice(0, 1)
      .map((version) => ({ version })),
  ]
}
