// The wall clock of a time zone, shared by charts, retention and the date fields of the console.

/** Milliseconds between UTC and the wall clock at an instant. */
export type Clock = (at: number) => number

const clocks = new Map<string, Clock>()
const clocksKept = 100

export function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const clock: Clock = (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    const wall = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
    return wall - Math.floor(at / 1_000) * 1_000
  }
  if (clocks.size >= clocksKept) clocks.clear()
  clocks.set(timeZone, clock)
  return clock
}
