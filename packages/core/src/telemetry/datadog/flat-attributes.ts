// Flattens nested values to attributes such as `cart.total`, because an attribute holds a single value.

import type { TelemetryEvent } from '../../contract/events.ts'
import { limits } from '../../limits.ts'
import { isObject, type JsonObject } from '../json.ts'

type Attributes = NonNullable<TelemetryEvent['attributes']>

const deepest = 4
const valuesListed = 50

export function flatAttributes(value: JsonObject, prefix: string): Attributes {
  const found: Attributes = {}
  collect(value, prefix, { found, left: limits.attributesPerEvent, depth: deepest })
  return found
}

interface Collecting {
  found: Attributes
  left: number
  depth: number
}

function collect(value: JsonObject, prefix: string, into: Collecting): void {
  for (const [name, member] of Object.entries(value)) {
    if (into.left <= 0) return
    if (isObject(member)) {
      if (into.depth > 1) {
        const inner = { ...into, depth: into.depth - 1 }
        collect(member, `${prefix}${name}.`, inner)
        into.left = inner.left
      }
    } else if (Array.isArray(member)) {
      const plain = member.filter((each) => typeof each !== 'object').slice(0, valuesListed)
      if (plain.length > 0) put(into, `${prefix}${name}`, plain.join(', '))
    } else if (typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean') {
      put(into, `${prefix}${name}`, member)
    }
  }
}

function put(into: Collecting, name: string, value: string | number | boolean): void {
  into.found[name] = value
  into.left -= 1
}
