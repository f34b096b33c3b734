// The traits of an evaluation context in stored form: copied, limited and valid for PostgreSQL. Traits that do
// not fit are dropped. Its time is bounded by the size of the result, because requests wait for it.

import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { isStorable } from '../../platform/http/strict-json.ts'

export type Traits = Record<string, unknown>

/** Remaining size of a copy, in characters. */
interface Room {
  left: number
}

/** Undefined for a value that is not stored. */
type Copied = { value: unknown } | undefined

const { traitsPerIdentity, traitLength, traitDepth, attributeLength, identityTraitsSize } = limits

/** The traits and their approximate size in characters. */
export function traitsOf(context: Context): { traits: Traits; size: number } {
  const traits = new Map<string, unknown>()
  let size = 0
  for (const name in context) {
    if (traits.size >= traitsPerIdentity) break
    if (name === 'targetingKey' || name.length > attributeLength || name === '' || !isStorable(name)) continue
    if (!Object.hasOwn(context, name)) continue

    const room = { left: Math.min(traitLength, identityTraitsSize - size - name.length) }
    const roomBefore = room.left
    const copied = copy(context[name], room, 0)
    if (copied === undefined) continue
    traits.set(name, copied.value)
    size += name.length + roomBefore - room.left
  }
  return { traits: Object.fromEntries(traits), size }
}

/** The size of a number, a name or a bracket. */
const small = 8

function copy(value: unknown, room: Room, depth: number): Copied {
  switch (typeof value) {
    case 'string':
      return take(room, value.length) && isStorable(value) ? { value } : undefined
    case 'number':
      return take(room, small) && Number.isFinite(value) ? { value } : undefined
    case 'boolean':
      return take(room, small) ? { value } : undefined
    case 'object':
      if (value === null || depth >= traitDepth || !take(room, small)) return undefined
      return Array.isArray(value) ? copyList(value, room, depth) : copyStructure(value, room, depth)
    default:
      return undefined
  }
}

/** All or nothing: a list without some of its items would have another meaning. */
function copyList(list: readonly unknown[], room: Room, depth: number): Copied {
  const copies: unknown[] = []
  for (const item of list) {
    const copied = item === null ? { value: null } : copy(item, room, depth + 1)
    if (copied === undefined || !take(room, 1)) return undefined
    copies.push(copied.value)
  }
  return { value: copies }
}

function copyStructure(structure: object, room: Room, depth: number): Copied {
  const members = new Map<string, unknown>()
  for (const [name, member] of ownEntries(structure)) {
    const copied = member === null ? { value: null } : copy(member, room, depth + 1)
    if (copied === undefined || !isStorable(name) || !take(room, name.length + small)) return undefined
    members.set(name, copied.value)
  }
  return { value: Object.fromEntries(members) }
}

/** Lazily, so that a large structure is abandoned early. */
function* ownEntries(structure: object): Generator<[string, unknown]> {
  const record = structure as Record<string, unknown>
  for (const name in record) if (Object.hasOwn(record, name)) yield [name, record[name]]
}

function take(room: Room, length: number): boolean {
  room.left -= length
  return room.left >= 0
}
