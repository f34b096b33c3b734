// Formats an effect: the change in the metric's own direction, always with its interval, and values in their
// unit.

import { cappedChangeText, durationText, mostChange, shareText, signedShareText } from './measure-text.ts'

interface HarmEnds {
  readonly lower: number | null
  readonly estimate: number | null
  readonly upper: number | null
}

export type MeasuredIn = 'ms' | 'score' | 'share' | 'per-session' | 'value'

/** The description of a metric, wherever one of its effects is shown. */
export interface Measured {
  readonly better: 'lower' | 'higher'
  readonly measuredIn: MeasuredIn
  readonly unit: string
}

const gap = '\u00a0'
const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

export function valueText(
  { measuredIn, unit }: Pick<Measured, 'measuredIn' | 'unit'>,
  value: number,
): string {
  if (measuredIn === 'ms') return durationText(value)
  if (measuredIn === 'share') return shareText(value)
  if (measuredIn === 'score') return value.toFixed(2)
  const text = digits.format(value)
  return unit === '' ? text : `${text}${gap}${unit}`
}

/** Converts harm to the displayed change; a missing bound is infinite. */
export function changeOf(harm: HarmEnds, better: Measured['better']) {
  const lo = harm.lower ?? Number.NEGATIVE_INFINITY
  const hi = harm.upper ?? Number.POSITIVE_INFINITY
  // If only one side has any, the relative change is infinite.
  const est = harm.estimate ?? (harm.lower === null ? Number.NaN : Number.POSITIVE_INFINITY)
  return better === 'lower' ? { lo, est, hi } : { lo: -hi, est: -est, hi: -lo }
}

/** Not comparable: the ratio to zero is undefined. */
export const oneSided = { control: 'No events in control', treatment: 'No events in treatment' }

/** The estimate of a change, infinite where control is zero. */
export function estimateText(estimate: number): string {
  if (Number.isNaN(estimate)) return '–'
  return Number.isFinite(estimate) ? cappedChangeText(estimate) : oneSided.control
}

/** Whether there is anything to draw: an estimate, or a bound. */
export function hasChange(harm: HarmEnds | null | undefined): harm is HarmEnds {
  return harm != null && (harm.estimate !== null || harm.lower !== null)
}

/** `+0.6 to +5.8%`; a missing bound is spelled out. */
export function intervalText({ lo, hi }: { lo: number; hi: number }): string {
  if (!Number.isFinite(lo) && !Number.isFinite(hi)) return 'anything'
  if (!Number.isFinite(lo)) return `up to ${cappedChangeText(hi)}`
  if (hi > mostChange) return `${cappedChangeText(lo)} or more`
  return `${cappedChangeText(lo).replace('%', '')} to ${cappedChangeText(hi)}`
}

/** The limit, in the metric's own direction: `+5%`, `−3%`. */
export function limitText(limit: number, better: Measured['better']): string {
  return signedShareText(better === 'lower' ? limit : -limit)
}

/** `no more than +5%`, `no less than −3%`. */
export function limitSentence(limit: number, better: Measured['better']): string {
  return `no ${better === 'lower' ? 'more' : 'less'} than ${limitText(limit, better)}`
}

const vitals = new Set(['lcp', 'inp', 'cls', 'fcp', 'ttfb'])

/** The short name beside a number: `INP p75`, `Orders`. */
export function metricLabel({ metric, name }: { metric: string; name: string }): string {
  return vitals.has(metric) ? `${metric.toUpperCase()} p75` : name
}
