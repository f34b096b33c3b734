// The users of a rollout so far, as displayed everywhere: distinct users exposed to each arm of its split since its
// evidence started. A metric is measured on a subset of them.

import type { ArmName } from '../statistics/sums.ts'

type BothArms = Record<ArmName, number>

/** From the latest look of the guard; undefined before the first. */
export function usersSoFar(seen: { units: BothArms } | null | undefined): BothArms | undefined {
  return seen?.units
}

/** Whether a metric was measured on other numbers of users than all users so far: then both are displayed. */
export function isMeasuredOnPart(measured: BothArms, users: BothArms): boolean {
  return measured.treatment !== users.treatment || measured.control !== users.control
}
