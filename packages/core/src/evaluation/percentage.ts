// A share of the subjects, chosen by hash.

import type { Condition } from '../contract/conditions.ts'
import { limits } from '../limits.ts'
import { bucketingOf, positionOf } from './bucket.ts'
import { identityKeyOf, percentageOf } from './flagsmith-bucket.ts'

export type PercentageCondition = Extract<Condition, { operator: 'percentage' }>

export interface Draw {
  positionOf: (unit: string) => number
  isIn: (position: number) => boolean
}

export function drawOf(condition: PercentageCondition): Draw {
  const { attribute, weight, seed, bucketing } = condition
  if (bucketing === undefined) {
    const seeded = bucketingOf(seed)
    return { positionOf: (unit) => positionOf(seeded, unit), isIn: (position) => position < weight }
  }
  const percentage = (weight / limits.weightTotal) * 100
  return {
    positionOf: (unit) =>
      percentageOf(seed, attribute === 'targetingKey' ? identityKeyOf(bucketing.environmentKey, unit) : unit),
    // Flagsmith takes the end of the range in.
    isIn: (position) => position <= percentage,
  }
}
