// Bounds what all regular expressions of one configuration cost together. One by one they are bounded where they are
// compiled; hundreds of them, each just allowed, would still stop a server for seconds.

import type { ConditionGroup } from '../contract/conditions.ts'
import type { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { programSizeOf } from './text.ts'

/** At most one fault. Nothing is compiled when the expressions are too long to be. */
export function checkExpressions(groups: readonly ConditionGroup[]): Fault[] {
  const expressions = expressionsOf(groups)
  const length = expressions.reduce((sum, text) => sum + text.length, 0)
  if (length > limits.expressionsLength) {
    return [tooMuch(`${limits.expressionsLength} characters; these have ${length}`)]
  }
  const program = expressions.reduce((sum, text) => sum + programSizeOf(text), 0)
  if (program <= limits.expressionsProgram) return []
  return [tooMuch(`${limits.expressionsProgram} instructions; these have ${program}`)]
}

function tooMuch(bound: string): Fault {
  return { pointer: '', message: `All regular expressions together have at most ${bound}.` }
}

/** Not by recursion: groups may still nest too deep here. */
function expressionsOf(groups: readonly ConditionGroup[]): string[] {
  const found: string[] = []
  const left = [...groups]
  for (let group = left.pop(); group !== undefined; group = left.pop()) {
    for (const part of group.of) {
      if ('match' in part) left.push(part)
      else if (part.operator === 'matches' || part.operator === 'not-matches') found.push(part.value)
    }
  }
  return found
}
