// Users of one arm who were assigned to it and never heard from. What is measured is then true for those heard from only, so
// the arms are compared by the shares really heard, and the lines move by what the missing users could hide: the guard acts
// where even that bound says harm, and calls nothing healthy that the missing users could have spoilt.
import { isEnough } from '../statistics/boundary.ts'
import { isSplitWrong, logSplitEvidence, type StageEvents, shareRatio } from '../statistics/event-share.ts'
import type { Standard } from '../statistics/judge.ts'
import type { ArmName } from '../statistics/sums.ts'
import type { Rollout } from './rollout.ts'

export interface MissingPeople {
  /** The arm that fewer were heard from than the other leads one to expect. */
  arm: ArmName
  /** How many of its users are missing, from 0 to 1. */
  share: number
  /** Surely missing; otherwise suspected, and only what holds with and without them is believed. */
  isCertain: boolean
  /** By stage: how many users of the treatment were heard for each of the control, against what was designed; and its error. */
  stages: readonly { ratio: number; error: number }[]
}

/** Enough to suspect it: verdicts about events must not come before the proof that the split they rest on is wrong. */
const suspicion = 0.05

export interface SplitCounts {
  exposures: readonly StageEvents[]
  heard: readonly StageEvents[]
}

/** Nothing where both arms are heard from as designed. */
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

/** Of several stages that are looked at alone, each has to be surer. */
function isSuspected(stages: readonly StageEvents[], of: number): boolean {
  return isEnough(logSplitEvidence(stages), suspicion / of)
}

/** One standard error is enough: events are few beside the users, so their own error is the larger one by far. */
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
 * Events as they would stand if those heard from were all: harm is asked for with the share of the treatment a little larger
 * than heard, safety with a little less.
 */
export function asHeard(
  stages: readonly StageEvents[],
  missing: MissingPeople,
  { asked, better }: { asked: 'harm' | 'safety'; better: Standard['better'] },
): StageEvents[] {
  // Where more is better, fewer events in the treatment are the harm.
  const side = (asked === 'harm') === (better === 'lower') ? 1 : -1
  return stages.map((stage, index) => {
    const { ratio, error } = missing.stages[index] ?? asDesigned
    const odds = ratio * Math.exp(side * error)
    return { ...stage, share: (stage.share * odds) / (stage.share * odds + 1 - stage.share) }
  })
}

/** At most so many times as badly off as those heard from: what missing users may hide where safety is asked for. */
const worseOff = 2

/**
 * The ends of "worse by", for everybody, from those for users heard from. Below, the missing ones met what the other arm met,
 * which makes the arms more alike; above, those missing from the better arm met nothing, those from the worse one twice as much.
 */
export function boundsForAll(
  { lower, upper }: { lower: number; upper: number },
  { arm, share }: MissingPeople,
  better: Standard['better'],
): { lower: number; upper: number } {
  const isWorseArm = arm === (better === 'lower' ? 'treatment' : 'control')
  const [low, high] = [1 + lower, 1 + upper]
  // Without harm nothing is hidden by being alike.
  const alike = isWorseArm ? (1 - share) * low + share : low / (1 - share + share * low)
  return {
    lower: (low > 1 ? (low === Number.POSITIVE_INFINITY ? (isWorseArm ? low : 1 / share) : alike) : low) - 1,
    upper: (isWorseArm ? high * (1 + (worseOff - 1) * share) : high / (1 - share)) - 1,
  }
}

/** The same lines, as they have to be crossed among users heard from. */
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

/** More than that beyond what a person has accepted is asked about again. */
const acceptedBeyond = 0.05

/** A person goes on although users of the treatment are missing, for as long as they do not become many more. */
export function isMissingAccepted({
  splitWrong,
  missing,
  acceptedMissing,
}: Pick<Rollout, 'splitWrong' | 'missing' | 'acceptedMissing'>): boolean {
  if (splitWrong !== 'people-missing' || acceptedMissing === undefined) return false
  return (missing?.arm === 'treatment' ? missing.share : 0) <= acceptedMissing + acceptedBeyond
}
