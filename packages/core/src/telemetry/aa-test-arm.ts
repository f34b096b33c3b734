// The hidden split of the A/A test: assigns half of an environment's units to each arm, by a hash that no flag uses.
// A round lasts several days, and each round is independent of the others.

import { limits } from '../limits.ts'
import { hash64 } from './unit-hash.ts'

/** Not used by any flag: their splits count up from 1. */
export const aaTestSplit = '0'
export const aaTestArms = { control: 'a', treatment: 'b' } as const

/** Start of the A/A test and the number of its first round. */
export interface AaTestSeries {
  since: number
  first: number
}

export interface AaTestRound {
  /** Counts from 1, also across periods when the A/A test was off. Used as the epoch of the split. */
  number: number
  startedAt: number
  endsAt: number
}

/** A clock that is behind `since` gets the first round. */
export function aaTestRoundAt({ since, first }: AaTestSeries, now: number): AaTestRound {
  const passed = Math.max(0, Math.floor((now - since) / limits.aaTestRound))
  const startedAt = since + passed * limits.aaTestRound
  return { number: first + passed, startedAt, endsAt: startedAt + limits.aaTestRound }
}

/** `unit`: the hashed unit, as stored in the tables. */
export function aaTestArmOf(environment: string, round: number, unit: string): 'a' | 'b' {
  // The hash keeps the feature's former name: renaming it would reassign all units.
  const hash = hash64(`canary\0${environment}\0${round}\0${unit}`)
  return Number(hash.at(-1)) % 2 === 0 ? aaTestArms.control : aaTestArms.treatment
}
