// The users of a rollout so far, as every list, page and report has them: different users that were exposed to each arm of its
// split since its evidence began. A metric is measured on those of them who did what it measures, never on more.

import type { ArmName } from '../statistics/sums.ts'

type BothArms = Record<ArmName, number>

/** Of what the guard saw last; nothing before its first look. */
export function usersSoFar(seen: { units: BothArms } | null | undefined): BothArms | undefined {
  return seen?.units
}

/** Whether a metric was measured on others than all users so far: then both numbers are named. */
export function isMeasuredOnPart(measured: BothArms, users: BothArms): boolean {
  return measured.treatment !== users.treatment || measured.control !== users.control
}
