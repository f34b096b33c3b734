// Traits as Flagsmith's clients send them: text, numbers, booleans, or null to remove one.

import { isContext } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { isStorable } from '../../platform/http/strict-json.ts'
import { Refused } from './refused.ts'

export type TraitValue = string | number | boolean | null

export interface GivenTrait {
  key: string
  value: TraitValue
  /** For this response only. */
  isTransient: boolean
}

/** Throws `Refused` unless it is a list of traits. A value of another type is converted to text. */
export function readTraits(value: unknown): GivenTrait[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Refused(400, { traits: ['Expected a list of items.'] })
  if (value.length > limits.traitsPerIdentity) {
    throw new Refused(400, {
      traits: [`Ensure this field has no more than ${limits.traitsPerIdentity} elements.`],
    })
  }
  return value.map(readTrait)
}

export function readTrait(item: unknown): GivenTrait {
  if (!isContext(item)) throw new Refused(400, { traits: ['Expected an object.'] })
  const { trait_key: key, trait_value: value, transient } = item
  if (typeof key !== 'string' || key === '' || key.length > limits.attributeLength || !isStorable(key)) {
    throw new Refused(400, { trait_key: [`Expected a text of 1 to ${limits.attributeLength} characters.`] })
  }
  return { key, value: valueOfTrait(value), isTransient: transient === true }
}

function valueOfTrait(value: unknown): TraitValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length > limits.traitLength || !isStorable(text)) {
    throw new Refused(400, {
      trait_value: [`Ensure this field has no more than ${limits.traitLength} characters.`],
    })
  }
  return text
}

/** The stored traits merged with the given ones. */
export function mergeTraits(
  stored: Readonly<Record<string, unknown>>,
  given: readonly GivenTrait[],
): Record<string, unknown> {
  const merged = new Map(Object.entries(stored))
  for (const { key, value } of given) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}
