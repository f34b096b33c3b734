// The hidden split that compares nothing with nothing: one in two units of an environment, drawn by a hash that no flag
// uses. A draw lasts some days, and the next one is independent of it.

import { limits } from '../limits.ts'
import { hash64 } from './unit-hash.ts'

/** No flag's: those count up from 1. */
export const canarySplit = '0'
export const canaryArms = { control: 'a', treatment: 'b' } as const

/** Since when people are divided, and the number of the draw that began then. */
export interface CanarySeries {
  since: number
  first: number
}

export interface CanaryDraw {
  /** Counted from 1, also when the canary was off in between: an epoch of the split. */
  number: number
  startedAt: number
  endsAt: number
}

/** A clock that runs behind sees the first draw. */
export function canaryDrawAt({ since, first }: CanarySeries, now: number): CanaryDraw {
  const passed = Math.max(0, Math.floor((now - since) / limits.canaryDraw))
  const startedAt = since + passed * limits.canaryDraw
  return { number: first + passed, startedAt, endsAt: startedAt + limits.canaryDraw }
}

/** `unit`: its hash, as the tables hold it. */
export function canaryArmOf(environment: string, draw: number, unit: string): 'a' | 'b' {
  const lot = hash64(`canary\0${environment}\0${draw}\0${unit}`)
  return Number(lot.at(-1)) % 2 === 0 ? canaryArms.control : canaryArms.treatment
}
