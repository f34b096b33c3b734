// The past events of a site's units, in columns: compact enough to be read hundreds of times.

import type { BackTestPlan } from './back-test.ts'

/** Ordered by slot. A slot is an equal part of the period; the guard looks at the end of each. */
export interface UnitRows {
  unit: Uint32Array
  slot: Uint8Array
  /** The denominator of a unit (views, sessions); for a quantile, the number of values. */
  by: Float64Array
  /** The numerator: a count or a sum; for a quantile, the bucket of the values. */
  of: Float64Array
}

export interface SiteUnits {
  units: number
  slots: number
  /** The length of a slot in milliseconds. */
  width: number
  /** In the order of the judged metrics. */
  metrics: readonly UnitRows[]
}

interface Timetable {
  /** The stage at each look of a simulated rollout. Empty if no stage has two arms. */
  stages: readonly number[]
  /** The number of slots at which it can start. */
  starts: number
  /** The period is too short for the plan: each stage is shortened in proportion. */
  isShortened: boolean
}

/** The maximum time that the guard watches a stage before it is undecided. */
export function longestOf(
  { timeBox }: Pick<BackTestPlan, 'timeBox'>,
  stage: { minDuration: number },
): number {
  return Math.max(1, timeBox, stage.minDuration)
}

/** Stages with two arms, each with its maximum duration. */
export function scheduleStages(
  plan: Pick<BackTestPlan, 'stages' | 'pool' | 'timeBox'>,
  { slots, width }: Pick<SiteUnits, 'slots' | 'width'>,
): Timetable {
  const spans = plan.stages.filter(({ weight }) => weight < plan.pool).map((stage) => longestOf(plan, stage))
  const looks = spans.map((span) => Math.max(1, Math.round(span / width)))
  const all = looks.reduce((sum, count) => sum + count, 0)
  if (all <= slots) {
    const stages = looks.flatMap((count, stage) => Array.from({ length: count }, () => stage))
    return { stages, starts: slots - all + 1, isShortened: false }
  }
  return { stages: shorten(spans, slots), starts: 1, isShortened: true }
}

/** Each stage has at least one look. */
function shorten(spans: readonly number[], slots: number): number[] {
  const spare = Math.max(0, slots - spans.length)
  const all = spans.reduce((sum, span) => sum + span, 0)
  let passed = 0
  const ends = spans.map((span, stage) => {
    passed += span
    return stage + 1 + Math.round((spare * passed) / all)
  })
  return Array.from({ length: slots }, (_, slot) =>
    Math.max(
      0,
      ends.findIndex((end) => slot < end),
    ),
  )
}

/**
 * The exponent with which the number of distinct units grows over time: 1 without returning units, smaller if the
 * same units return.
 */
export function growthOf({ units, slots, metrics }: SiteUnits): number {
  const seen = new Uint8Array(units)
  let pairs = 0
  for (let slot = 0; slot < slots; slot += 1) {
    const mark = slot + 1
    for (const rows of metrics) {
      for (let row = firstOf(rows, slot); row < rows.slot.length && rows.slot[row] === slot; row += 1) {
        const unit = rows.unit[row] ?? 0
        if (seen[unit] === mark) continue
        seen[unit] = mark
        pairs += 1
      }
    }
  }
  const perSlot = pairs / Math.max(1, slots)
  if (slots < 2 || perSlot <= 0) return 1
  return Math.min(1, Math.max(0.1, Math.log(Math.max(1, units / perSlot)) / Math.log(slots)))
}

/** The index of the first row of a slot, or of the next slot that has rows. */
export function firstOf({ slot }: UnitRows, wanted: number): number {
  let [from, to] = [0, slot.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((slot[middle] ?? 0) < wanted) from = middle + 1
    else to = middle
  }
  return from
}

/** The bucket of a unit, from 0 to 1, different in every run: the finalizer of MurmurHash3. */
export function positionOf(unit: number, run: number): number {
  let hash = Math.imul(unit + 1, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
