/** Time formats: 24 h clock, in a named zone. See the design's words and numbers. */
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `3 s ago`, `11 min ago`, `2 h ago`, then the date. */
export function ageText(at: number, now: number, timeZone?: string): string {
  const age = Math.max(0, now - at)
  if (age < minute) return `${Math.floor(age / 1_000)}\u00a0s ago`
  if (age < hour) return `${Math.floor(age / minute)}\u00a0min ago`
  if (age < day) return `${Math.floor(age / hour)}\u00a0h ago`
  return timeText(at, now, timeZone)
}

/** Time until an instant, rounded up: `in 45 s`, `in 11 min`, `in 24 h`, `in 7 days`. */
export function aheadText(at: number, now: number): string {
  const left = Math.max(0, at - now)
  if (left < minute) return `in\u00a0${Math.ceil(left / 1_000)}\u00a0s`
  if (left < hour) return `in\u00a0${Math.ceil(left / minute)}\u00a0min`
  if (left < 2 * day) return `in\u00a0${Math.ceil(left / hour)}\u00a0h`
  return `in\u00a0${Math.ceil(left / day)}\u00a0days`
}

/** `14:30` today, `yesterday 21:30`, `18 Nov 21:30`, `18 Nov 2025`. */
export function timeText(at: number, now: number, timeZone?: string): string {
  const then = partsOf(at, timeZone)
  const today = partsOf(now, timeZone)
  const yesterday = partsOf(now - day, timeZone)
  const clock = `${then.hour}:${then.minute}`

  if (isSameDay(then, today)) return clock
  if (isSameDay(then, yesterday)) return `yesterday ${clock}`
  const date = `${then.day}\u00a0${then.month}`
  return then.year === today.year ? `${date} ${clock}` : `${date}\u00a0${then.year}`
}

/** The full instant, in the zone and in UTC. For tooltips. */
export function fullTimeText(at: number, timeZone?: string): string {
  return `${fullIn(at, timeZone)}\n${fullIn(at, 'UTC')}`
}

function fullIn(at: number, timeZone: string | undefined): string {
  const { day, month, year, hour, minute, second } = partsOf(at, timeZone)
  const zone = zoneName(timeZone)
  return `${day} ${month} ${year} ${hour}:${minute}:${second} ${zone}`
}

/** The name of the zone: the browser's if none is given. */
export function zoneName(timeZone: string | undefined): string {
  return timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

type Part = 'day' | 'month' | 'year' | 'hour' | 'minute' | 'second'
const formats = new Map<string | undefined, Intl.DateTimeFormat>()

function partsOf(at: number, timeZone: string | undefined): Record<Part, string> {
  const found = { day: '', month: '', year: '', hour: '', minute: '', second: '' }
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) {
    if (Object.hasOwn(found, type)) Object.assign(found, { [type]: value })
  }
  return found
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone ? { timeZone } : {}),
  })
  formats.set(timeZone, format)
  return format
}

function isSameDay(a: Record<Part, string>, b: Record<Part, string>): boolean {
  return a.day === b.day && a.month === b.month && a.year === b.year
}

const clocks = new Map<string | undefined, Intl.DateTimeFormat>()

/** `14:30:05.123` in the zone. */
export function clockText(at: string, timeZone: string | undefined): string {
  const known = clocks.get(timeZone)
  if (known) return known.format(Date.parse(at))
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    ...(timeZone ? { timeZone } : {}),
  })
  clocks.set(timeZone, clock)
  return clock.format(Date.parse(at))
}
