// The clock of a recording: milliseconds since 1970 that never go back, whatever happens to the clock of the computer.

import { sinceBegin } from '../browser/time.ts'

export interface Clock {
  now(): number
  /** The time of an event, by its `timeStamp`. */
  at(timeStamp: number): number
  /** Follows the clock of the computer forward: a page's own does not run while the computer sleeps. */
  adjust(): void
}

/** Smaller differences are no sleep. */
const tolerance = 1_000

export function createClock(): Clock {
  let begin = Date.now() - sinceBegin()
  return {
    now: () => Math.round(begin + sinceBegin()),
    at: (timeStamp) => Math.round(begin + timeStamp),
    adjust() {
      const next = Date.now() - sinceBegin()
      if (next > begin + tolerance) begin = next
    },
  }
}
