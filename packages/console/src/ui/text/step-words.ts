import type { TimeStep } from '@telltale/core/query/time-buckets'

/** `in each hour`, `in each 3 hours`. */
export const stepNames: Readonly<Record<TimeStep, string>> = {
  '1m': 'minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': 'hour',
  '3h': '3 hours',
  '6h': '6 hours',
  '1d': 'day',
  '7d': 'week',
}

/** `a minute`, `an hour`, `3 hours`. */
export function stepText(step: TimeStep): string {
  const name = stepNames[step]
  if (/^\d/.test(name)) return name
  return `${step === '1h' ? 'an' : 'a'} ${name}`
}
