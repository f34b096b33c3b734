// Evaluates one Flagsmith condition.

import { percentageOf } from './flagsmith-bucket.ts'
import type { EvaluationContext, SegmentCondition } from './flagsmith-evaluation-context.ts'
import { keyOfIdentity } from './flagsmith-identity-key.ts'
import { fulfils } from './flagsmith-operators.ts'
import { readPath, readProperty } from './flagsmith-read-property.ts'

/** A percentage is seeded with the segment's key. */
export function matchesCondition(
  context: EvaluationContext,
  condition: SegmentCondition,
  segmentKey: string,
): boolean {
  const { property, operator, value } = condition
  if (operator === 'PERCENTAGE_SPLIT') {
    const unit = property === '' ? keyOfIdentity(context) : readPath(context, property)
    if (!unit) return false
    return percentageOf(segmentKey, String(unit)) <= Number.parseFloat(String(value))
  }
  const trait = property === '' ? undefined : readProperty(context, property)
  if (operator === 'IS_NOT_SET') return property !== '' && (trait === undefined || trait === null)
  if (trait === undefined || trait === null) return false
  return operator === 'IS_SET' || fulfils(trait, condition)
}
