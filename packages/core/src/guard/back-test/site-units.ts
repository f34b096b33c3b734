// What the units of a site did in the past, in columns: small enough to be gone through hundreds of times.

import type { BackTestPlan } from './back-test.ts'

/** Ordered by slot. A slot is an equal part of the period; the guard looks at its end. */
export interface UnitRows {
  unit: Uint32Array
  slot: Uint8Array
  /** What a unit counts by (views, sessions); of a percentile, how many values. */
  by: Float64Array
  /** What is counted, or its sum; of a percentile, the bucket of the values. */
  of: Float64Array
}

export interface SiteUnits {
  units: number
  slots: number
  /** Of a slot, in milliseconds. */
  width: number
  /** In the order of the judged metrics. */
  metrics: readonly UnitRows[]
}

interface Timetable {
  /** The stage at each look of a drawn rollout. Empty when no stage has two arms. */
  stages: readonly number[]
  /** At so many slots of the past it can begin. */
  starts: number
  /** The past is too short for it: each stage has its part of it in proportion. */
  isShortened: boolean
}

/** The longest that the guard watches a stage before it is undecided. */
export function longestOf(
  { timeBox }: Pick<BackTestPlan, 'timeBox'>,
  stage: { minDuration: number },
): number {
  return Math.max(1, timeBox, stage.minDuration)
}

/** Stages with two arms, each as long as it can become. */
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

/** Each gets at least one look. */
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
 * How the number of distinct units grows with time: with its power of this. 1 where nobody comes back, and less where the
 * same people come again and again.
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

/** The first row of a slot, or of what comes after it. */
export function firstOf({ slot }: UnitRows, wanted: number): number {
  let [from, to] = [0, slot.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((slot[middle] ?? 0) < wanted) from = middle + 1
    else to = middle
  }
  return from
}

/** Where a unit is drawn, from 0 to 1, anew for every run: the finaliser of MurmurHash3. */
export function positionOf(unit: number, run: number): number {
  let hash = Math.imul(unit + 1, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
