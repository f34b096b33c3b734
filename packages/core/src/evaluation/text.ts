// contains, starts-with, ends-with and matches: on text, case-sensitive. Regular expressions run in linear time.

import { RE2JS } from 're2js'
import { limits } from '../limits.ts'
import type { Test } from './equality.ts'
import { Unusable } from './unusable.ts'

/** Matches text that contains the operand, or a list with the operand as a member. */
export function contains(operand: string): Test {
  return (value) => (typeof value === 'string' || Array.isArray(value)) && value.includes(operand)
}

export function startsWith(operand: string): Test {
  return (value) => typeof value === 'string' && value.startsWith(operand)
}

export function endsWith(operand: string): Test {
  return (value) => typeof value === 'string' && value.endsWith(operand)
}

/** RE2 syntax, matched anywhere in the text. */
export function matches(operand: string): Test {
  const expression = compileExpression(operand)
  return (value) => typeof value === 'string' && expression.test(value)
}

/** Size of the compiled expression; 0 when it cannot be compiled, which is reported elsewhere. */
export function programSizeOf(operand: string): number {
  try {
    return RE2JS.compile(operand).programSize()
  } catch {
    return 0
  }
}

/** Throws `Unusable` when the expression is invalid or too expensive to match. */
export function compileExpression(text: string): RE2JS {
  if (text.length > limits.expressionLength) {
    throw new Unusable(`The expression is longer than ${limits.expressionLength} characters.`, '/value')
  }
  const expression = tryCompile(text)
  if (expression.programSize() > limits.expressionProgram) {
    throw new Unusable('The expression is too complex: use smaller repetition counts.', '/value')
  }
  return expression
}

function tryCompile(text: string): RE2JS {
  try {
    return RE2JS.compile(text)
  } catch (error) {
    throw new Unusable(`Invalid expression: ${error instanceof Error ? error.message : text}`, '/value')
  }
}
