// How rates and their comparisons are named.

import type { RateComparison, Rates } from '../../api/rates.ts'
import { shareText, signedShareText } from '../../ui/text/measure-text.ts'

export const rateChoices = [
  { value: 'none', label: 'Counts only' },
  { value: 'users', label: 'Share of users' },
  { value: 'sessions', label: 'Share of sessions' },
  { value: 'per-user', label: 'Events per user' },
  { value: 'per-session', label: 'Events per session' },
] as const

export const comparisons = [
  { value: 'none', label: 'nothing' },
  { value: 'values', label: 'two values' },
  { value: 'periods', label: 'with the previous period' },
] as const

export const missingText = {
  'too-few': 'too few users for an interval',
  'too-uneven': 'mostly from a few users: no interval',
} as const

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

export const rateText = (measure: Rates['measure'], value: number) =>
  measure === 'share' ? shareText(value) : digits.format(value)

/** `Share of users with errors`, `Views per session`. */
export function rateLabel({ unit, measure }: Pick<Rates, 'unit' | 'measure'>, events: string | undefined) {
  const of = events ?? 'events'
  if (measure === 'mean') return `${of.charAt(0).toUpperCase()}${of.slice(1)} per ${unit}`
  return `Share of ${unit}s with ${of}`
}

const signed = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, signDisplay: 'exceptZero' })

const changeText = (measure: Rates['measure'], change: number) =>
  measure === 'share' ? `${signedShareText(change).replace('%', '')}\u00a0points` : signed.format(change)

const verdicts = { higher: 'Higher', lower: 'Lower', 'not-sure': 'Not sure yet' } as const

export function comparisonText(
  { verdict, values, change }: RateComparison,
  measure: Rates['measure'],
): string {
  if (verdict === 'not-comparable' || values === null || change === null)
    return 'Too few users in the same hours and countries to compare.'
  const [one, other] = [rateText(measure, values.value), rateText(measure, values.base)]
  const ends = `${changeText(measure, change.lower)} to ${changeText(measure, change.upper)}`
  return `${verdicts[verdict]}: ${one} vs ${other}, ${changeText(measure, change.estimate)} (${ends}).`
}
