// Validates conditions: their number, their nesting depth and every operand.

import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import type { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { compileCondition } from './match.ts'
import { Unusable } from './unusable.ts'

export interface ConditionScope {
  /** Segments that conditions may reference; undefined where references to segments are not allowed. */
  segments: ReadonlySet<string> | undefined
}

export function checkConditions(group: ConditionGroup, scope: ConditionScope): Fault[] {
  const most = scope.segments === undefined ? limits.conditionsPerSegment : limits.conditionsPerRule
  const bounds = checkBounds(group, most)
  // Compile only when the group is within the limits.
  return bounds.length > 0 ? bounds : checkParts(group, scope, '')
}

function checkParts(group: ConditionGroup, scope: ConditionScope, pointer: string): Fault[] {
  return group.of.flatMap((part, index) => {
    const at = `${pointer}/of/${index}`
    return 'match' in part ? checkParts(part, scope, at) : checkCondition(part, scope, at)
  })
}

function checkCondition(condition: Condition, { segments }: ConditionScope, pointer: string): Fault[] {
  if ('segment' in condition && !segments?.has(condition.segment)) {
    const message =
      segments === undefined
        ? 'A segment cannot refer to another segment.'
        : `There is no segment "${condition.segment}".`
    return [{ pointer: `${pointer}/segment`, message }]
  }
  try {
    compileCondition(condition)
    return []
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return [{ pointer: `${pointer}${error.pointer}`, message: error.message }]
  }
}

/** Iterates level by level, because recursion could overflow the stack. */
function checkBounds(group: ConditionGroup, most: number): Fault[] {
  let level: readonly ConditionGroup[] = [group]
  let conditions = 0
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.conditionDepth) {
      return [{ pointer: '', message: `Groups can be nested at most ${limits.conditionDepth} deep.` }]
    }
    const parts = level.flatMap(({ of }) => of)
    level = parts.filter((part) => 'match' in part)
    // Groups count too: even an empty group costs work.
    conditions += parts.length
    if (conditions > most) {
      return [{ pointer: '', message: `At most ${most} conditions and groups in all.` }]
    }
  }
  return []
}
