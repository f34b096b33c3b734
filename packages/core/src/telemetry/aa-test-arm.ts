// The hidden split that compares nothing with nothing: one in two units of an environment, drawn by a hash that no flag
// uses. A round lasts some days, and the next one is independent of it.

import { limits } from '../limits.ts'
import { hash64 } from './unit-hash.ts'

/** No flag's: those count up from 1. */
export const aaTestSplit = '0'
export const aaTestArms = { control: 'a', treatment: 'b' } as const

/** Since when people are divided, and the number of the round that began then. */
export interface AaTestSeries {
  since: number
  first: number
}

export interface AaTestRound {
  /** Counted from 1, also when the A/A test was off in between: an epoch of the split. */
  number: number
  startedAt: number
  endsAt: number
}

/** A clock that runs behind sees the first round. */
export function aaTestRoundAt({ since, first }: AaTestSeries, now: number): AaTestRound {
  const passed = Math.max(0, Math.floor((now - since) / limits.aaTestRound))
  const startedAt = since + passed * limits.aaTestRound
  return { number: first + passed, startedAt, endsAt: startedAt + limits.aaTestRound }
}

/** `unit`: its hash, as the tables hold it. */
export function aaTestArmOf(environment: string, round: number, unit: string): 'a' | 'b' {
  // The name in the hash is older than the A/A test: another one would assign every unit again.
  const hash = hash64(`canary\0${environment}\0${round}\0${unit}`)
  return Number(hash.at(-1)) % 2 === 0 ? aaTestArms.control : aaTestArms.treatment
}
