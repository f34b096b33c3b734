// Values of attributes, as identity providers send them.

import { limits } from '../limits.ts'
import { invalid } from './scim-error.ts'

/** Undefined for an empty text: SCIM has no difference between both. */
export function readText(value: unknown, attribute: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid('invalidValue', `${attribute} must be a text.`)
  if (value.length > limits.scimTextLength) {
    throw invalid('invalidValue', `${attribute} has at most ${limits.scimTextLength} characters.`)
  }
  return value.trim() === '' ? undefined : value.trim()
}

/** Microsoft Entra sends `"False"` for `false`. */
export function readBoolean(value: unknown, attribute: string): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw invalid('invalidValue', `${attribute} must be true or false.`)
}
