import type { Shown } from '../contract/trace.ts'
import type { Attribute } from './context.ts'

const shownCharacters = 200

export function show(value: Attribute | undefined): Shown {
  if (typeof value === 'string') return value.length > shownCharacters ? `${cut(value)}…` : value
  if (typeof value !== 'object') return value
  return Array.isArray(value) ? `list of ${value.length}` : 'structure'
}

function cut(text: string): string {
  return text.slice(0, shownCharacters).toWellFormed()
}
