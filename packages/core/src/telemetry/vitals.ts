// The thresholds of each web vital, rated at the 75th percentile, and how many values a percentile needs.

import type { vitalNames } from '../contract/events.ts'

export type VitalName = (typeof vitalNames)[number]
export type Rating = 'good' | 'needs-improvement' | 'poor'

/** Good up to the first, poor above the second. Milliseconds; CLS has no unit. */
export const vitalBoundaries: Readonly<Record<VitalName, readonly [good: number, poor: number]>> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  FCP: [1_800, 3_000],
  TTFB: [800, 1_800],
}

export function rateVital(name: VitalName, value: number): Rating {
  const [good, poor] = vitalBoundaries[name]
  if (value <= good) return 'good'
  return value <= poor ? 'needs-improvement' : 'poor'
}
