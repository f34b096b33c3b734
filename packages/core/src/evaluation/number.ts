// Numbers, and text that is a valid JSON number. Arithmetic operators accept both; equality distinguishes them.

import type { Attribute } from './context.ts'
import type { Test } from './equality.ts'
import { Unusable } from './unusable.ts'

const shape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** NaN for anything else. */
export function readNumber(value: Attribute): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !shape.test(value)) return Number.NaN
  const number = Number(value)
  return Number.isFinite(number) ? number : Number.NaN
}

/** The remainder has the sign of the divisor: -1 modulo 3 is 2. Safe integers only. */
export function modulo(divisor: number, remainder: number): Test {
  if (remainder >= divisor) throw new Unusable('The remainder is below the divisor.', '/remainder')

  return (value) => {
    const number = readNumber(value)
    return Number.isSafeInteger(number) && ((number % divisor) + divisor) % divisor === remainder
  }
}
