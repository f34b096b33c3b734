// Who is held out: by a hash that nothing else uses, so that membership is stable and independent of every split.

import type { HoldoutShare } from '../contract/flag-config.ts'
import { limits } from '../limits.ts'
import { type Bucketing, bucketingOf, positionOf } from './bucket.ts'

/** Others are compared in this proportion to held-out users: more would hardly narrow the interval. */
const othersPerHeldOut = 4

/** A holdout's hidden split has one epoch, because its share never changes. */
export const holdoutEpoch = 1

export const holdoutArms = { heldOut: 'held-out', others: 'others' } as const
type HoldoutArm = (typeof holdoutArms)[keyof typeof holdoutArms]

/** The others who are compared, of 100 000 users. */
export const othersOf = (share: number) => Math.min(limits.weightTotal - share, share * othersPerHeldOut)

/** The arm of a targeting key; undefined for others who are not compared. */
export function holdoutArmOf(
  { salt, share }: Pick<HoldoutShare, 'salt' | 'share'>,
  targetingKey: string,
): HoldoutArm | undefined {
  const position = positionOf(bucketingOf(salt), targetingKey)
  if (position < share) return holdoutArms.heldOut
  return position < share + othersOf(share) ? holdoutArms.others : undefined
}

/** Whether a position is that of a held-out user. */
export function compileHeldOut({ salt, share }: HoldoutShare): (unit: string) => {
  position: number
  held: boolean
} {
  const bucketing: Bucketing = bucketingOf(salt)
  return (unit) => {
    const position = positionOf(bucketing, unit)
    return { position, held: position < share }
  }
}
