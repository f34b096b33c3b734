// A group of SCIM (RFC 7643, 4.2): its name, and how its members change.

import { limits } from '../limits.ts'
import type { ScimFilter } from './filter.ts'
import { changesOf, isObject, memberOf, type ScimChange } from './patch.ts'
import { readText } from './read-value.ts'
import { invalid } from './scim-error.ts'

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** In the order in which they were sent. `set` leaves only these. */
export interface MemberStep {
  kind: 'add' | 'remove' | 'set'
  ids: readonly string[]
}

export interface GroupChange {
  displayName?: string
  /** Null removes it. */
  externalId?: string | null
  members: readonly MemberStep[]
}

/** A whole group, of POST and PUT. Without members it has none. */
export function readGroup(body: unknown): GroupChange & { displayName: string } {
  if (!isObject(body)) throw invalid('invalidSyntax', 'The body must be a group.')
  const read = changeGroup(changesOf(body, 'replace'))
  const { displayName, externalId = null } = read
  if (displayName === undefined) throw invalid('invalidValue', 'displayName is required.')
  const members = read.members.length === 0 ? [{ kind: 'set', ids: [] } as const] : read.members
  return { displayName, externalId, members }
}

export function changeGroup(changes: readonly ScimChange[]): GroupChange {
  return changes.reduce<GroupChange>(applyChange, { members: [] })
}

function applyChange(group: GroupChange, change: ScimChange): GroupChange {
  const { op, attribute, value } = change
  switch (attribute) {
    case 'displayname': {
      const displayName = op === 'remove' ? undefined : readText(value, 'displayName')
      if (displayName === undefined) throw invalid('invalidValue', 'displayName is required.')
      return { ...group, displayName }
    }
    case 'externalid':
      return { ...group, externalId: (op === 'remove' ? undefined : readText(value, 'externalId')) ?? null }
    case 'members':
      return { ...group, members: [...group.members, stepOf(change)] }
    default:
      return group
  }
}

function stepOf({ op, where, value }: ScimChange): MemberStep {
  if (op === 'add') return { kind: 'add', ids: readIds(value) }
  if (op === 'replace' && where === undefined) return { kind: 'set', ids: readIds(value) }
  if (op === 'replace')
    throw invalid('invalidPath', 'Members of a group are added and removed, not replaced.')
  if (where !== undefined) return { kind: 'remove', ids: idsIn(where) }
  // Microsoft Entra names removed members by a value; without one, all are removed.
  return value === undefined || value === null
    ? { kind: 'set', ids: [] }
    : { kind: 'remove', ids: readIds(value) }
}

function readIds(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const all: unknown[] = Array.isArray(value) ? value : [value]
  if (all.length > limits.teamMembers)
    throw invalid('tooMany', `A group has at most ${limits.teamMembers} members.`)
  const ids = all.map((one) => {
    const type = memberOf(one, 'type')
    if (typeof type === 'string' && type.toLowerCase() === 'group') {
      throw invalid('invalidValue', 'Groups in groups are not supported. Assign the users.')
    }
    const id = typeof one === 'string' ? one : memberOf(one, 'value')
    if (typeof id !== 'string') throw invalid('invalidValue', 'A member needs a "value": the id of a user.')
    return id.toLowerCase()
  })
  return [...new Set(ids)]
}

function idsIn(where: ScimFilter): string[] {
  if (where.kind === 'or') return where.of.flatMap(idsIn)
  if (where.kind === 'compare' && where.op === 'eq' && where.attribute === 'value') {
    if (typeof where.value === 'string') return [where.value.toLowerCase()]
  }
  throw invalid('invalidFilter', 'Members are found by value eq "…".')
}

export interface StoredGroup {
  id: string
  displayName: string
  externalId: string | undefined
  createdAt: Date
  /** Undefined: not asked for. */
  members: readonly { id: string; name: string }[] | undefined
}

/** `base`: the address of the SCIM endpoint. */
export function printGroup(group: StoredGroup, base: string): Record<string, unknown> {
  const { id, displayName, externalId, createdAt, members } = group
  return {
    schemas: [groupSchema],
    id,
    ...(externalId !== undefined && { externalId }),
    displayName,
    ...(members && {
      members: members.map((member) => ({
        ...{ value: member.id, display: member.name, type: 'User' },
        $ref: `${base}/Users/${member.id}`,
      })),
    }),
    meta: { resourceType: 'Group', created: createdAt.toISOString(), location: `${base}/Groups/${id}` },
  }
}
