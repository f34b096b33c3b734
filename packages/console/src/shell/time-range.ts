/** A time range as in the URL: `24h`, or two instants as `from..to`. */
export const timePresets = ['15m', '1h', '6h', '24h', '7d', '30d', '90d'] as const
type TimePreset = (typeof timePresets)[number]
export type TimeRange = TimePreset | `${string}..${string}`

export const defaultTimeRange: TimeRange = '24h'

const unitLength = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const unitLabel = { m: 'min', h: 'h', d: 'days' }

export function parseTimeRange(text: unknown): TimeRange | undefined {
  if (typeof text !== 'string') return undefined
  const preset = timePresets.find((one) => one === text)
  if (preset) return preset

  const [from, to, ...rest] = text.split('..')
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  return Date.parse(from) < Date.parse(to) ? `${from}..${to}` : undefined
}

export function boundsOf(range: TimeRange, now: number): { from: number; to: number } {
  const preset = timePresets.find((one) => one === range)
  if (preset) return { from: now - lengthOf(preset), to: now }

  const [from = '', to = ''] = range.split('..')
  return { from: Date.parse(from), to: Date.parse(to) }
}

/** Ends at the current time. */
export function isMoving(range: TimeRange): boolean {
  return timePresets.some((one) => one === range)
}

export function lengthOfRange(range: TimeRange): number {
  const { from, to } = boundsOf(range, 0)
  return to - from
}

/** The range of two instants: the preset of that length if it ends where a moving one ends. */
export function rangeOf({ from, to }: { from: number; to: number }, isMovingNow = false): TimeRange {
  const preset = timePresets.find((one) => lengthOf(one) === to - from)
  if (isMovingNow && preset) return preset
  return `${new Date(from).toISOString()}..${new Date(to).toISOString()}`
}

/** The range itself if it contains the instant, or the shortest preset that reaches back to it. */
export function rangeWith(at: number, range: TimeRange, now: number): TimeRange {
  const { from, to } = boundsOf(range, now)
  if (at >= from && at < to) return range
  return timePresets.find((preset) => now - lengthOf(preset) <= at) ?? '90d'
}

export function labelOfRange(range: TimeRange, format: (at: number) => string): string {
  const preset = timePresets.find((one) => one === range)
  if (preset) return `Last ${Number.parseInt(preset, 10)}\u00a0${unitLabel[unitOf(preset)]}`

  const { from, to } = boundsOf(range, 0)
  return `${format(from)} to ${format(to)}`
}

function lengthOf(preset: TimePreset): number {
  return Number.parseInt(preset, 10) * unitLength[unitOf(preset)]
}

function unitOf(preset: TimePreset): 'm' | 'h' | 'd' {
  if (preset.endsWith('m')) return 'm'
  return preset.endsWith('h') ? 'h' : 'd'
}
