// Users of one arm who were assigned to it and never heard from. Measured results then hold only for the users heard
// from, so the arms are compared by the shares actually heard, and the limits are shifted by what the missing users
// could hide: the guard acts if even that bound shows harm, and calls nothing healthy that the missing users could have
// worsened.
import { isEnough } from '../statistics/boundary.ts'
import { isSplitWrong, logSplitEvidence, type StageEvents, shareRatio } from '../statistics/event-share.ts'
import type { Standard } from '../statistics/judge.ts'
import type { ArmName } from '../statistics/sums.ts'
import type { Rollout } from './rollout.ts'

export interface MissingPeople {
  /** The arm with fewer users heard from than the other arm predicts. */
  arm: ArmName
  /** The missing share of its users, from 0 to 1. */
  share: number
  /** Otherwise only suspected: then only verdicts that hold with and without them count. */
  isCertain: boolean
  /**
   * By stage: users of the treatment heard from for each of the control, relative to the design, and its standard
   * error.
   */
  stages: readonly { ratio: number; error: number }[]
}

/** The level of a suspicion: verdicts about events must not come before the proof that their split is broken. */
const suspicion = 0.05

interface SplitCounts {
  exposures: readonly StageEvents[]
  heard: readonly StageEvents[]
}

/** Undefined if both arms are heard from as designed. */
export function findMissingPeople({ exposures, heard }: SplitCounts): MissingPeople | undefined {
  const [seen = []] = [heard, exposures].toSorted((a, b) => logSplitEvidence(b) - logSplitEvidence(a))
  const all = seen.reduce((sum, { treatment, control }) => sum + treatment + control, 0)
  if (!(all > 0)) return undefined
  const isSuspect = isSuspected(seen, 1)
  const together = ratioIn(seen)
  const stages = seen.map((stage) => {
    if (isSuspected([stage], seen.length)) return ratioIn([stage])
    return isSuspect ? together : asDesigned
  })
  if (stages.every(({ ratio }) => ratio === 1)) return undefined
  const mean = seen.reduce((sum, { treatment, control }, index) => {
    const { ratio, error } = stages[index] ?? asDesigned
    return (
      sum + ((treatment + control) / all) * Math.sign(Math.log(ratio)) * (Math.abs(Math.log(ratio)) + error)
    )
  }, 0)
  return {
    arm: mean > 0 ? 'control' : 'treatment',
    share: 1 - Math.exp(-Math.abs(mean)),
    isCertain: isSplitWrong(seen),
    stages,
  }
}

const asDesigned = { ratio: 1, error: 0 }

/** Corrected for the number of stages tested separately. */
function isSuspected(stages: readonly StageEvents[], of: number): boolean {
  return isEnough(logSplitEvidence(stages), suspicion / of)
}

/** One standard error is enough: events are few compared with users, so their own error dominates. */
function ratioIn(stages: readonly StageEvents[]): { ratio: number; error: number } {
  const count = (arm: ArmName) =>
    Math.max(
      1,
      stages.reduce((sum, stage) => sum + stage[arm], 0),
    )
  const ratio = Math.min(farthest, Math.max(1 / farthest, shareRatio(stages) ?? 1))
  return { ratio, error: Math.sqrt(1 / count('treatment') + 1 / count('control')) }
}

const farthest = 1e6

/**
 * The events with the shares of the users heard from: for harm, with a slightly larger share of the treatment than
 * heard; for safety, with a slightly smaller one.
 */
export function asHeard(
  stages: readonly StageEvents[],
  missing: MissingPeople,
  { requested, better }: { requested: 'harm' | 'safety'; better: Standard['better'] },
): StageEvents[] {
  // If higher is better, fewer events in the treatment are the harm.
  const side = (requested === 'harm') === (better === 'lower') ? 1 : -1
  return stages.map((stage, index) => {
    const { ratio, error } = missing.stages[index] ?? asDesigned
    const odds = ratio * Math.exp(side * error)
    return { ...stage, share: (stage.share * odds) / (stage.share * odds + 1 - stage.share) }
  })
}

/** For safety, missing users are assumed to be at most this many times as badly off as those heard from. */
const worseOff = 2

/**
 * The bounds of "worse by" for all users, from those for the users heard from. For the lower bound, missing users
 * met what the other arm met, which makes the arms more alike. For the upper bound, those missing from the better
 * arm met nothing, and those from the worse arm twice as much.
 */
export function boundsForAll(
  { lower, upper }: { lower: number; upper: number },
  { arm, share }: MissingPeople,
  better: Standard['better'],
): { lower: number; upper: number } {
  const isWorseArm = arm === (better === 'lower' ? 'treatment' : 'control')
  const [low, high] = [1 + lower, 1 + upper]
  // Without harm there is nothing to hide.
  const alike = isWorseArm ? (1 - share) * low + share : low / (1 - share + share * low)
  return {
    lower: (low > 1 ? (low === Number.POSITIVE_INFINITY ? (isWorseArm ? low : 1 / share) : alike) : low) - 1,
    upper: (isWorseArm ? high * (1 + (worseOff - 1) * share) : high / (1 - share)) - 1,
  }
}

/** The same limits, as they must be crossed among the users heard from. */
export function lineForHeard(standard: Standard, { arm, share }: MissingPeople): Standard {
  const isWorseArm = arm === (standard.better === 'lower' ? 'treatment' : 'control')
  const limit = 1 + standard.limit
  const left = 1 - share * limit
  const harmed = isWorseArm
    ? (limit - share) / (1 - share)
    : left > 0
      ? Math.min(farthest, (limit * (1 - share)) / left)
      : farthest
  const margin = 1 + standard.margin
  const safe = isWorseArm ? margin / (1 + (worseOff - 1) * share) : margin * (1 - share)
  return { ...standard, limit: harmed - 1, margin: safe - 1 }
}

/** If the missing share grows this far beyond what was accepted, the rollout holds again. */
const acceptedBeyond = 0.05

/** Whether a member accepted the missing users of the treatment, as long as their share does not grow much. */
export function isMissingAccepted({
  splitWrong,
  missing,
  acceptedMissing,
}: Pick<Rollout, 'splitWrong' | 'missing' | 'acceptedMissing'>): boolean {
  if (splitWrong !== 'people-missing' || acceptedMissing === undefined) return false
  return (missing?.arm === 'treatment' ? missing.share : 0) <= acceptedMissing + acceptedBeyond
}
