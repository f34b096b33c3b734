// Replaces all matches of several expressions in one pass and in linear time.

import { RE2JS } from 're2js'
import { limits } from '../limits.ts'
import { compileExpression } from './text.ts'
import { Unusable } from './unusable.ts'

/** Throws `Unusable` when an expression, or all of them together, cannot be used. */
export function hideMatches(expressions: readonly string[], replacement: string): (text: string) => string {
  if (expressions.length === 0) return (text) => text

  const each = expressions.map(compileExpression)
  if (each.some((expression) => expression.test(''))) {
    throw new Unusable('Must not match the empty text.', '/value')
  }
  const all = RE2JS.compile(expressions.map((expression) => `(?:${expression})`).join('|'))
  if (all.programSize() > limits.scrubProgram) {
    throw new Unusable(
      'Together they are too complex: use fewer expressions or smaller repetition counts.',
      '/value',
    )
  }
  // A word boundary matches with zero length, but only next to a word, so the check above misses it.
  const replace = (found: unknown) => (found === '' ? '' : replacement)
  return (text) => (all.test(text) ? all.matcher(text).replaceAll(replace) : text)
}
