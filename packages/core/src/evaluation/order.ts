// greater and less (or equal) compare numbers with numbers, instants with instants and versions with versions.
// Any other comparison is false.

import type { Attribute } from './context.ts'
import type { Test } from './equality.ts'
import { parseInstant } from './instant.ts'
import { readNumber } from './number.ts'
import { compareVersions, parseVersion } from './semver.ts'
import { Unusable } from './unusable.ts'

export type Order = 'equals' | 'greater' | 'greater-or-equal' | 'less' | 'less-or-equal'

export function ordered(order: Order, operand: number | string): Test {
  const measure = typeof operand === 'number' ? readNumber : readInstant
  const bound = measure(operand)
  if (Number.isNaN(bound)) {
    throw new Unusable('Must be a number or an instant such as 2026-01-31T12:00:00Z.', '/value')
  }
  return compare(order, (value) => measure(value) - bound)
}

export function versionOrdered(order: Order, operand: string): Test {
  const bound = parseVersion(operand)
  if (bound === undefined)
    throw new Unusable('Must be a version such as 1.2.3 (Semantic Versioning 2.0.0).', '/value')

  return compare(order, (value) => {
    const version = typeof value === 'string' ? parseVersion(value) : undefined
    return version === undefined ? Number.NaN : compareVersions(version, bound)
  })
}

/** `distance` is NaN for values that cannot be compared, and every comparison with NaN is false. */
function compare(order: Order, distance: (value: Attribute) => number): Test {
  switch (order) {
    case 'equals':
      return (value) => distance(value) === 0
    case 'greater':
      return (value) => distance(value) > 0
    case 'greater-or-equal':
      return (value) => distance(value) >= 0
    case 'less':
      return (value) => distance(value) < 0
    case 'less-or-equal':
      return (value) => distance(value) <= 0
  }
}

function readInstant(value: Attribute): number {
  return typeof value === 'string' ? parseInstant(value) : Number.NaN
}
