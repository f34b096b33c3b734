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
  /** In the order of the judged metrics. */
  metrics: readonly UnitRows[]
}

/** Which stage each slot is in, and how many have two arms: those of the plan, each as long as the plan has it in proportion. */
export function stagesBySlot(plan: Pick<BackTestPlan, 'stages' | 'pool'>, slots: number): number[] {
  const compared = plan.stages.filter(({ weight }) => weight < plan.pool)
  if (compared.length === 0) return []
  const spare = Math.max(0, slots - compared.length)
  const all = compared.reduce((sum, { minDuration }) => sum + Math.max(1, minDuration), 0)
  const ends: number[] = []
  let passed = 0
  for (const [stage, { minDuration }] of compared.entries()) {
    passed += Math.max(1, minDuration)
    ends.push(stage + 1 + Math.round((spare * passed) / all))
  }
  return Array.from({ length: slots }, (_, slot) =>
    Math.max(
      0,
      ends.findIndex((end) => slot < end),
    ),
  )
}

/** Where a unit is drawn, from 0 to 1, anew for every run: the finaliser of MurmurHash3. */
export function positionOf(unit: number, run: number): number {
  let hash = Math.imul(unit + 1, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
