import type { VitalName } from '@telltale/core/telemetry/vitals'

/** Number formats: true minus, no-break space before the unit. See the design's words and numbers. */
const gap = '\u00a0'
const minus = '\u2212'
const dash = '\u2013'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const large: readonly [limit: number, unit: string][] = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'k'],
]

/** In full to 9,999, then `96.4k`, `1.2M`. */
export function countText(count: number): string {
  const rounded = Math.round(count)
  const step = large.find(([limit]) => rounded >= limit)
  if (!step) return whole.format(rounded)
  const [limit, unit] = step
  return `${threeDigits.format(rounded / (unit === 'k' ? 1_000 : limit))}${unit}`
}

/** Always in full: `96,412`. */
export function fullCountText(count: number): string {
  return whole.format(count)
}

/** `1 session`, `2,031 sessions`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)}${gap}${Math.round(count) === 1 ? one : many}`
}

/** `171 ms` below a second, `2.31 s` above, minutes from two minutes on. */
export function durationText(ms: number): string {
  if (ms < 0.95) return `${twoDigits.format(ms)}${gap}ms`
  if (ms < 999.5) return `${whole.format(ms)}${gap}ms`
  if (ms < 120_000) return `${threeDigits.format(ms / 1_000)}${gap}s`
  return `${whole.format(ms / 60_000)}${gap}min`
}

/** A duration as on a clock: `3:12`, `1:04:09`. */
export function lengthText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** CLS with two decimals and no unit, every other vital as a duration. */
export function vitalText(name: VitalName, value: number): string {
  return name === 'CLS' ? value.toFixed(2) : durationText(value)
}

/** From 0 to 1: `0.4%`, `78%`; never rounded to 0% or 100%. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.1) return '<0.1%'
  if (percent < 100 && percent >= 99.95) return '>99.9%'
  const digits = percent >= 10 && percent <= 90 ? 0 : 1
  return `${Number(percent.toFixed(digits))}%`
}

/** From one value to another: `+3.1%`, `−12%`, `0%`. Undefined if it cannot be computed. */
export function changeText(now: number | null, before: number | null): string | undefined {
  if (now === null || before === null || before === 0) return undefined
  return cappedChangeText(now / before - 1)
}

/** A relative change with its sign: two significant digits, three from 100% on. */
export function signedShareText(change: number): string {
  const percent = Math.abs(change) * 100
  const format = percent >= 99.5 ? threeDigits : twoDigits
  const text = percent < 0.05 ? '0' : format.format(percent)
  return `${text === '0' ? '' : change < 0 ? minus : '+'}${text}%`
}

/** A number with its sign: `+0.02`, `−14`. */
export function signedText(value: number, format: (value: number) => string): string {
  const text = format(Math.abs(value))
  if (format(0) === text) return text
  return `${value < 0 ? minus : '+'}${text}`
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB']

/** Decimal units: `512 B`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${(unit === 0 ? whole : threeDigits).format(value)}${gap}${byteUnits[unit]}`
}

/** Green at zero, where zero is good. */
export function dashAtZero(value: number, format: (value: number) => string = countText): string {
  return value === 0 ? dash : format(value)
}

/** A factor of one hundred: more digits are meaningless. */
export const mostChange = 100

/** `+3.1%`; above the maximum `>+10,000%`. */
export function cappedChangeText(change: number): string {
  if (Math.abs(change) <= mostChange) return signedShareText(change)
  return `${change > 0 ? '>' : '<'}${signedShareText(change > 0 ? mostChange : -mostChange)}`
}
