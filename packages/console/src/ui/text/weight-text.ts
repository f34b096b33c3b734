// Weights are integers of 100 000; they are displayed and edited as percent with up to three decimals.

import { limits } from '@telltale/core/limits'

const perPercent = limits.weightTotal / 100

/** `33.334`, without trailing zeros. */
export function percentText(weight: number): string {
  return String(weight / perPercent)
}

/**
 * `NaN` unless it is a percentage from 0 to 100 with at most three decimals. Accepts a comma as decimal
 * separator.
 */
export function weightOf(text: string): number {
  const match = /^\s*(\d{1,3})(?:[.,](\d{0,3}))?\s*%?\s*$/.exec(text)
  if (!match) return Number.NaN
  const weight = Number(match[1]) * perPercent + Number((match[2] ?? '').padEnd(3, '0'))
  return weight <= limits.weightTotal ? weight : Number.NaN
}
