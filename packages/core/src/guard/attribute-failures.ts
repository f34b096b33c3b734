// Which share of failures is owed to the variations of splits. Each variation is compared with all others of its split
// together, and every compared variation counts as a search: with 95 % probability, all bounds shown at a look hold
// together.

import { attributableEstimate, attributableLower } from '../statistics/attributable-share.ts'
import { eventsIn, type StageEvents } from '../statistics/event-share.ts'

/** A split while its evidence counts together: the stages of one rollout, or one epoch of weights set by hand. */
export interface SplitRun {
  epochs: readonly RunEpoch[]
}

export interface RunEpoch {
  epoch: number
  arms: readonly { variation: string; weight: number }[]
  /** Units whose first failure of the run was in this epoch, by variation. */
  failed: ReadonlyMap<string, number>
}

export interface AttributedFailures<Run extends SplitRun> {
  run: Run
  variation: string
  /** Failed units with the variation, and with the others of the split. */
  units: number
  otherUnits: number
  /** The lower bound of the share owed to the variation: above 0. */
  atLeast: number
  estimate: number
  stages: readonly StageEvents[]
}

/** The probability that any bound of an environment exceeds its true share at a look. */
export const attributionLevel = 0.05
/** Fewer failed units show nothing, and are not counted as a comparison: known without looking at their arms. */
export const fewestFailed = 5
/** A smaller bound is not shown: it would read as "at least 0 in 100". */
export const smallestShare = 0.01

export interface AttributionResult<Run extends SplitRun> {
  /** Strongest first; often none. */
  found: AttributedFailures<Run>[]
  /** Variations that were compared. */
  compared: number
}

/**
 * `issues`: how many kinds of failures are searched in the environment, each in the same way. With none compared,
 * there was no split with two arms, or too few units failed.
 */
export function attributeFailures<Run extends SplitRun>(
  runs: readonly Run[],
  issues = 1,
): AttributionResult<Run> {
  const compared = runs.flatMap((run) =>
    variationsOf(run)
      .map((variation) => ({ run, variation, stages: stagesOf(run, variation) }))
      .filter(({ stages }) => eventsIn(stages) >= fewestFailed),
  )
  const level = attributionLevel / Math.max(1, compared.length) / Math.max(1, issues)
  const found = compared.flatMap((one): AttributedFailures<Run>[] => {
    const atLeast = attributableLower(one.stages, level)
    if (atLeast < smallestShare) return []
    const units = one.stages.reduce((sum, { treatment }) => sum + treatment, 0)
    const otherUnits = eventsIn(one.stages) - units
    return [{ ...one, units, otherUnits, atLeast, estimate: attributableEstimate(one.stages) ?? 0 }]
  })
  return { found: found.sort((one, other) => other.atLeast - one.atLeast), compared: compared.length }
}

function variationsOf({ epochs }: SplitRun): string[] {
  return [...new Set(epochs.flatMap(({ arms }) => arms.map(({ variation }) => variation)))]
}

/** The variation as the treatment against all others of the split; an epoch without one side compares nothing. */
export function stagesOf({ epochs }: SplitRun, variation: string): StageEvents[] {
  return epochs.flatMap(({ arms, failed }): StageEvents[] => {
    const weightOf = (isOwn: boolean) =>
      arms.reduce((sum, arm) => sum + ((arm.variation === variation) === isOwn ? arm.weight : 0), 0)
    const [own, others] = [weightOf(true), weightOf(false)]
    if (own === 0 || others === 0) return []
    const treatment = failed.get(variation) ?? 0
    const control = arms.reduce(
      (sum, arm) =>
        sum + (arm.variation === variation || arm.weight === 0 ? 0 : (failed.get(arm.variation) ?? 0)),
      0,
    )
    return [{ treatment, control, share: own / (own + others) }]
  })
}

/**
 * A share in words that are never above it: `8 in 10`, `95 in 100`, `4 in 100`. Two digits where ten steps would hide
 * most of it.
 */
export function shareInWords(share: number): string {
  // A bound like 0.3 may be stored slightly below.
  const hundredths = Math.floor(share * 100 + 1e-9)
  if (hundredths < 10 || hundredths >= 95) return `${hundredths} in 100`
  return `${Math.floor(hundredths / 10)} in 10`
}
