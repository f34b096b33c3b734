import type { Profile } from '../../api/profiles.ts'
import type { ProfileSearch } from './profiles-search.ts'

/** Milliseconds since the profile started. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** Around the moment the user navigated from. */
const [before, after] = [250, 750]
const aroundFrame = 0.2
/** Idle time is left out. */
const idleAfter = 1.05
/** A smaller range is below the sampling interval. */
const shortest = 20

/** The visible range: from the URL, else the long frame at its moment, else all activity. */
export function windowOf(
  { duration, longFrames, samples }: Pick<Profile, 'duration' | 'longFrames' | 'samples'>,
  { at, from, to }: ProfileSearch,
): TimeWindow {
  if (from !== undefined && to !== undefined && to > from) return within({ from, to }, duration)
  if (at === undefined) {
    const last = samples.findLast(({ stack }) => stack >= 0)
    return within({ from: 0, to: last ? idleAfter * (last.at + last.duration) : duration }, duration)
  }
  const frame = longFrames.find((one) => at >= one.at && at <= one.at + one.duration)
  if (frame === undefined) return within({ from: at - before, to: at + after }, duration)
  return windowAround(frame, duration)
}

export function windowAround(frame: Profile['longFrames'][number], duration: number): TimeWindow {
  const margin = Math.max(shortest, aroundFrame * frame.duration)
  return within({ from: frame.at - margin, to: frame.at + frame.duration + margin }, duration)
}

/** `factor` times the range, around its centre. */
export function zoomed({ from, to }: TimeWindow, factor: number, duration: number): TimeWindow {
  const middle = (from + to) / 2
  const half = Math.max(shortest, (to - from) * factor) / 2
  return within({ from: middle - half, to: middle + half }, duration)
}

function within({ from, to }: TimeWindow, duration: number): TimeWindow {
  const start = Math.min(Math.max(0, from), Math.max(0, duration - shortest))
  return { from: start, to: Math.min(duration, Math.max(to, start + shortest)) }
}
