import { limits } from '../limits.ts'
import { stepsOf } from '../query/time-buckets.ts'
import { clockOf } from '../query/zone-offset.ts'

const day = 86_400_000

interface Weekly {
  /** 1 is Monday. */
  weekday: number
  /** By the wall clock of the time zone; if the clock skips it, the next hour. */
  hour: number
  timeZone: string
}

/**
 * When a digest that failed is tried again: after a minute, then whenever its delay has doubled, at most an hour later,
 * and not beyond the next one. `chance` in [0, 1) shortens the pause by up to half, so that digests which failed together
 * are not retried together. All in milliseconds since 1970.
 */
export function digestRetryAt(now: number, weekly: Weekly, chance: number): number {
  const due = nextDigestAt(now - 7 * day, weekly)
  const pause = Math.min(Math.max(now - due, limits.digestPoll), limits.digestRetryLongest)
  return Math.min(now + pause * (1 - chance / 2), nextDigestAt(now, weekly))
}

/** The first such hour after an instant. Both are in milliseconds since 1970. */
export function nextDigestAt(after: number, { weekday, hour, timeZone }: Weekly): number {
  const clock = clockOf(timeZone)
  const isReached = (at: number) => {
    const wall = new Date(at + clock(at))
    return (wall.getUTCDay() || 7) === weekday && wall.getUTCHours() >= hour
  }
  const steps = stepsOf({ from: after - day, to: after + 9 * day }, '1h', timeZone)
  const found = steps.find(
    ({ from }, index) => from > after && isReached(from) && !isReached(steps[index - 1]?.from ?? from),
  )
  return found?.from ?? after + 7 * day
}
