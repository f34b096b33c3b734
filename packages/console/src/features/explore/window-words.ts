// Windows of time, as a choice and in words.

import { countOf } from '../../ui/text/measure-text.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export const windowUnits = [
  { value: 'day', label: 'days', size: day },
  { value: 'hour', label: 'hours', size: hour },
  { value: 'minute', label: 'minutes', size: minute },
] as const
export type WindowUnit = (typeof windowUnits)[number]['value']

/** In the largest unit that it is a whole number of; shorter ones in minutes. */
export function windowParts(window: number): { amount: number; unit: WindowUnit } {
  const found = windowUnits.find(({ size }) => window % size === 0)
  return found === undefined
    ? { amount: Math.round((window / minute) * 100) / 100, unit: 'minute' }
    : { amount: window / found.size, unit: found.value }
}

/** Such as `7 days`. */
export function windowText(window: number): string {
  const { amount, unit } = windowParts(window)
  return countOf(amount, unit)
}
