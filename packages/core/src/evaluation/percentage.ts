// A percentage of the subjects, selected by hash.

import type { Condition } from '../contract/conditions.ts'
import { bucketingOf, positionOf } from './bucket.ts'

export type PercentageCondition = Extract<Condition, { operator: 'percentage' }>

interface Draw {
  positionOf: (unit: string) => number
  isIn: (position: number) => boolean
}

export function drawOf({ weight, seed }: PercentageCondition): Draw {
  const seeded = bucketingOf(seed)
  return { positionOf: (unit) => positionOf(seeded, unit), isIn: (position) => position < weight }
}
