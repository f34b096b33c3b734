import { compileExpression } from '../evaluation/text.ts'
import { Unusable } from '../evaluation/unusable.ts'
import { NotCarried } from './notes.ts'

/** Throws `NotCarried` for an expression that cannot be compiled here. */
export function checkExpression(text: string): void {
  try {
    compileExpression(text)
  } catch (error) {
    if (error instanceof Unusable) throw new NotCarried('expression', text)
    throw error
  }
}
