// equals and in compare types strictly: the number 5 does not equal the text "5".

import type { Attribute } from './context.ts'

export type Scalar = string | number | boolean

/** Whether an attribute that is set matches a condition. */
export type Test = (value: Attribute) => boolean

export function equals(operand: Scalar): Test {
  return (value) => value === operand
}

/** Whether the attribute, or a member of it when it is a list, is one of the values. */
export function isIn(values: readonly Scalar[]): Test {
  const set = new Set<unknown>(values)
  return (value) => set.has(value) || (Array.isArray(value) && value.some((member) => set.has(member)))
}

export function not(test: Test): Test {
  return (value) => !test(value)
}
