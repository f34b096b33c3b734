// Rare negative events: of all units that ever had the event, how many were in the treatment? If the treatment has no
// effect, each of them is in it with the designed share of its stage, whatever the traffic, the time of day or how
// prone a unit is to errors. So the test is exact with any number of units and at every look. The check of a split is
// the same test of first exposures, two-sided.
import { isEnough } from './boundary.ts'
import { isCount } from './sums.ts'

/** Units of one stage whose first event in the whole rollout was in this stage. */
export interface StageEvents {
  treatment: number
  control: number
  /** The designed share of the treatment among both arms, between 0 and 1. */
  share: number
}

export type Direction = 'more' | 'less'

const alternatives = Array.from({ length: 40 }, (_, index) => Math.exp(0.1 * (index + 1)))
const alternativeWeights = normalised(alternatives.map((ratio) => ratio ** -2))

/** The probability that a sound split is ever called broken. */
export const splitLevel = 0.001
const lopsided = [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 5]
const splitAlternatives = [...lopsided, ...lopsided.map((ratio) => 1 / ratio)]
const splitWeights = normalised(splitAlternatives.map(() => 1))

/** The log evidence that the event is more (or less) than `ratio` times as frequent in the treatment. */
export function logShareEvidence(
  stages: readonly StageEvents[],
  ratio: number,
  direction: Direction,
): number {
  const against = alternatives.map((step) => (direction === 'more' ? ratio * step : ratio / step))
  return logMixture(comparable(stages), ratio, { against, weights: alternativeWeights })
}

/** The log evidence that the units are not divided as designed. */
export function logSplitEvidence(stages: readonly StageEvents[]): number {
  return logMixture(comparable(stages), 1, { against: splitAlternatives, weights: splitWeights })
}

export function isSplitWrong(stages: readonly StageEvents[]): boolean {
  return isEnough(logSplitEvidence(stages), splitLevel)
}

/** How many times as frequent the event is in the treatment: 0 or infinity if only one arm ever had it. */
export function shareRatio(stages: readonly StageEvents[]): number | undefined {
  const usable = comparable(stages)
  const seen = sum(usable, ({ treatment }) => treatment)
  if (sum(usable, ({ treatment, control }) => treatment + control) === 0) return undefined
  if (seen === 0) return 0
  if (sum(usable, ({ control }) => control) === 0) return Number.POSITIVE_INFINITY
  const expected = (log: number) =>
    sum(usable, (stage) => (stage.treatment + stage.control) * shareAt(stage.share, Math.exp(log)))
  return Math.exp(bisect((log) => expected(log) < seen, [-farthest, farthest]))
}

/** Each bound is valid at any time with its own level. Without events the bounds are 0 and infinity. */
export function shareInterval(
  stages: readonly StageEvents[],
  levels: { lower: number; upper: number },
): { lower: number; upper: number } {
  return { lower: shareLower(stages, levels.lower), upper: shareUpper(stages, levels.upper) }
}

export function shareLower(stages: readonly StageEvents[], level: number): number {
  const usable = comparable(stages)
  const ratio = shareRatio(usable)
  if (ratio === undefined || ratio === 0) return 0
  const isBelow = (log: number) => logShareEvidence(usable, Math.exp(log), 'more') >= Math.log(1 / level)
  const lowest = stepUntil(isBelow, startAt(ratio), -1)
  return lowest === undefined ? 0 : Math.exp(bisect(isBelow, [lowest, lowest + 1], halvingsOfStep))
}

export function shareUpper(stages: readonly StageEvents[], level: number): number {
  const usable = comparable(stages)
  const ratio = shareRatio(usable)
  if (ratio === undefined || ratio === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  const isWithin = (log: number) => logShareEvidence(usable, Math.exp(log), 'less') < Math.log(1 / level)
  const highest = stepUntil((log) => !isWithin(log), startAt(ratio), 1)
  if (highest === undefined) return Number.POSITIVE_INFINITY
  return Math.exp(bisect(isWithin, [highest - 1, highest], halvingsOfStep))
}

const startAt = (ratio: number) => Math.min(nearestToEnd, Math.max(-nearestToEnd, Math.log(ratio)))

/** Units with the event, in both arms. */
export function eventsIn(stages: readonly StageEvents[]): number {
  return sum(comparable(stages), ({ treatment, control }) => treatment + control)
}

/** The expected number of them in the treatment if it has no effect. */
export function expectedInTreatment(stages: readonly StageEvents[]): number {
  return sum(comparable(stages), ({ treatment, control, share }) => (treatment + control) * share)
}

const halvings = 60
/** Of a step of 1 on the logarithmic scale: to less than a billionth. */
const halvingsOfStep = 32
const farthest = 40
const nearestToEnd = 15
const stepsAtMost = 40

/** Stages with two arms and valid numbers. */
function comparable(stages: readonly StageEvents[]): StageEvents[] {
  return stages.filter(
    ({ treatment, control, share }) => isCount(treatment) && isCount(control) && share > 0 && share < 1,
  )
}

/** The share of the treatment among units with the event, if it is `ratio` times as frequent there. */
function shareAt(share: number, ratio: number): number {
  return (share * ratio) / (share * ratio + 1 - share)
}

function logMixture(
  stages: readonly StageEvents[],
  ratio: number,
  { against, weights }: { against: readonly number[]; weights: readonly number[] },
): number {
  const treated = sum(stages, ({ treatment }) => treatment)
  // ln (1 - q) of each stage, where q is the share of the treatment, without computing a share near 1.
  const before = stages.map(({ share }) => Math.log1p(share * (ratio - 1)))
  const terms = against.map((alternative, index) => {
    let likelihood = treated * Math.log(alternative / ratio)
    for (const [place, { treatment, control, share }] of stages.entries())
      likelihood -= (treatment + control) * (Math.log1p(share * (alternative - 1)) - (before[place] ?? 0))
    return Math.log(weights[index] ?? 0) + likelihood
  })
  const largest = Math.max(...terms)
  if (!Number.isFinite(largest)) return largest
  return largest + Math.log(terms.reduce((all, term) => all + Math.exp(term - largest), 0))
}

/** The first step from `start` at which the condition holds; undefined if it never does. */
function stepUntil(holds: (log: number) => boolean, start: number, step: 1 | -1): number | undefined {
  for (let taken = 1; taken <= stepsAtMost; taken += 1) {
    if (holds(start + taken * step)) return start + taken * step
  }
  return undefined
}

/** The value at which a condition that holds at `from` stops holding. */
function bisect(
  holds: (value: number) => boolean,
  [from, to]: readonly [number, number],
  times = halvings,
): number {
  let [left, right] = [from, to]
  for (let halving = 0; halving < times; halving += 1) {
    const middle = (left + right) / 2
    if (holds(middle)) left = middle
    else right = middle
  }
  return (left + right) / 2
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((all, item) => all + of(item), 0)
}

function normalised(weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / all)
}
