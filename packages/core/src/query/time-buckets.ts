// The steps of a chart in the time zone of an environment. A day has its local length, 23 or 25 hours when clocks
// change. Hours and minutes are counted from its first instant; steps of several hours begin at fixed hours of the
// local clock.

import { type Clock, clockOf } from './zone-offset.ts'

export const timeSteps = ['1m', '5m', '15m', '1h', '3h', '6h', '1d', '7d'] as const
export type TimeStep = (typeof timeSteps)[number]

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const stepLength: Readonly<Record<TimeStep, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': hour,
  '3h': 3 * hour,
  '6h': 6 * hour,
  '1d': day,
  '7d': 7 * day,
}

export interface Stretch {
  /** Milliseconds since 1970. */
  from: number
  /** Exclusive. */
  to: number
}

/** The finest step with at most this many in the period. */
export function stepFor({ from, to }: Stretch, most: number): TimeStep {
  return timeSteps.find((step) => (to - from) / stepLength[step] <= most) ?? '7d'
}

/** The steps that overlap a period, of which the first may begin before it; empty for an empty period. */
export function stepsOf({ from, to }: Stretch, step: TimeStep, timeZone: string): Stretch[] {
  if (to <= from) return []
  const clock = clockOf(timeZone)
  const margin = stepLength[step] + day
  const starts = daysOf({ from: from - margin, to: to + margin }, clock).flatMap(([start, end]) =>
    step === '7d' ? (isMonday(start, clock) ? [start] : []) : startsInDay(start, end, { step, clock }),
  )
  return starts
    .slice(0, -1)
    .map((start, index) => ({ from: start, to: starts[index + 1] ?? start }))
    .filter((one) => one.to > from && one.from < to)
}

/** By the wall clock: noon of a local day is never ambiguous. */
const isMonday = (start: number, clock: Clock) => new Date(wallOf(start, clock) + 6 * hour).getUTCDay() === 1

function startsInDay(
  start: number,
  end: number,
  { step, clock }: { step: TimeStep; clock: Clock },
): number[] {
  const length = stepLength[step]
  if (step === '1d') return [start]
  if (length <= hour) {
    return Array.from({ length: Math.ceil((end - start) / length) }, (_, index) => start + index * length)
  }
  const midnight = Math.floor((wallOf(start, clock) + hour) / day) * day
  const walls = Array.from({ length: day / length }, (_, index) => midnight + index * length)
  const starts = walls.map((wall, index) => (index === 0 ? start : firstInstantOf(wall, clock)))
  return starts.filter((at, index) => at < end && (index === 0 || at > (starts[index - 1] ?? 0)))
}

/** Local days that overlap the period, each with its first instant and that of the next. */
function daysOf({ from, to }: Stretch, clock: Clock): [number, number][] {
  const days: [number, number][] = []
  // Start one day earlier: if the clock was set back near midnight, it shows the previous day again.
  let wall = Math.floor(wallOf(from, clock) / day) * day - day
  let start = firstInstantOf(wall, clock)
  while (start < to) {
    wall += day
    const next = firstInstantOf(wall, clock)
    if (next > start) days.push([start, next])
    start = Math.max(start, next)
  }
  return days
}

const wallOf = (at: number, clock: Clock) => at + clock(at)

/** The first instant at which the wall clock shows this time or a later one. */
function firstInstantOf(wall: number, clock: Clock): number {
  const before = clock(wall - day)
  const after = clock(wall + day)
  const candidates = [wall - before, wall - after].sort((left, right) => left - right)
  return candidates.find((at) => wallOf(at, clock) === wall) ?? wall - before
}
