// Reads attributes from the evaluation context. Reading never fails: an attribute that JSON cannot represent, or that
// exceeds the size limits, counts as not set. Only own properties count.

import { limits } from '../limits.ts'

// Destructured once: this runs for every condition.
const { contextTextLength, conditionListItems } = limits

export type Context = Readonly<Record<string, unknown>>

/** An attribute that is set. Structures count as set, but only `is-set` matches them. */
export type Attribute = string | number | boolean | object

export function isContext(value: unknown): value is Context {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The attribute for a value; undefined when it counts as not set. A JavaScript `Date` becomes its ISO text. */
export function settle(value: unknown): Attribute | undefined {
  switch (typeof value) {
    case 'string':
      return value.length <= contextTextLength ? value : undefined
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'boolean':
      return value
    case 'object':
      return value === null ? undefined : settleObject(value)
    default:
      return undefined
  }
}

function settleObject(value: object): Attribute | undefined {
  if (Array.isArray(value)) return value.length <= conditionListItems ? value : undefined
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  return value
}

/** The segments of a path; undefined for an attribute without dots. */
export function pathOf(attribute: string): readonly string[] | undefined {
  return attribute.includes('.') ? attribute.split('.') : undefined
}

/** `company.plan`: an attribute of exactly this name, otherwise the member `plan` of the structure `company`. */
export function readPath(context: Context, attribute: string, path: readonly string[]): unknown {
  if (Object.hasOwn(context, attribute)) return context[attribute]

  let value: unknown = context
  for (const name of path) {
    if (!isContext(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** Compiles an attribute into a function that reads it. */
export function readerOf(attribute: string): (context: Context) => Attribute | undefined {
  const path = pathOf(attribute)
  if (path !== undefined) return (context) => settle(readPath(context, attribute, path))
  // Most splits read it, and engines read a constant property name faster.
  if (attribute === 'targetingKey') {
    return (context) => {
      const value = context.targetingKey
      return value !== undefined && Object.hasOwn(context, 'targetingKey') ? settle(value) : undefined
    }
  }
  return (context) => {
    const value = context[attribute]
    return value !== undefined && Object.hasOwn(context, attribute) ? settle(value) : undefined
  }
}

/** The text that a split hashes. Only text and integers have the same representation in every language. */
export function unitFrom(value: Attribute | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}
