// A user of SCIM (RFC 7643, 4.1): which of its attributes are kept, how changes apply, and how it is shown. Attributes
// that Telltale does not keep, passwords included, are accepted and ignored.

import { limits } from '../limits.ts'
import type { ScimFilter } from './filter.ts'
import { changesOf, isObject, memberOf, type ScimChange } from './patch.ts'
import { readBoolean, readText } from './read-value.ts'
import { invalid } from './scim-error.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'

export interface ScimUser {
  userName: string
  externalId: string | undefined
  displayName: string | undefined
  formatted: string | undefined
  givenName: string | undefined
  familyName: string | undefined
  /** Undefined: the user name is the address. */
  email: string | undefined
  /** Undefined: not said. */
  active: boolean | undefined
}

const nothing: ScimUser = {
  userName: '',
  externalId: undefined,
  displayName: undefined,
  formatted: undefined,
  givenName: undefined,
  familyName: undefined,
  email: undefined,
  active: undefined,
}

/** A whole user, of POST and PUT. */
export function readUser(body: unknown): ScimUser {
  if (!isObject(body)) throw invalid('invalidSyntax', 'The body must be a user.')
  const user = changeUser(nothing, changesOf(body, 'replace'))
  if (user.userName === '') throw invalid('invalidValue', 'userName is required.')
  return user
}

export function changeUser(user: ScimUser, changes: readonly ScimChange[]): ScimUser {
  return changes.reduce(applyChange, user)
}

function applyChange(user: ScimUser, change: ScimChange): ScimUser {
  const { op, attribute, where } = change
  const value = op === 'remove' ? undefined : change.value
  switch (attribute) {
    case 'username': {
      const userName = readText(value, 'userName')
      if (userName === undefined) throw invalid('invalidValue', 'userName is required.')
      return { ...user, userName }
    }
    case 'externalid':
      return { ...user, externalId: readText(value, 'externalId') }
    case 'displayname':
      return { ...user, displayName: readText(value, 'displayName') }
    case 'active':
      return { ...user, active: op === 'remove' ? undefined : readBoolean(value, 'active') }
    case 'name.formatted':
      return { ...user, formatted: readText(value, attribute) }
    case 'name.givenname':
      return { ...user, givenName: readText(value, attribute) }
    case 'name.familyname':
      return { ...user, familyName: readText(value, attribute) }
    case 'name':
      return changeName(user, value)
    case 'emails':
      return { ...user, email: pickEmail(value) }
    case 'emails.value':
      return isOther(where) ? user : { ...user, email: readText(value, 'emails.value') }
    default:
      return user
  }
}

const nameParts = { formatted: 'formatted', givenname: 'givenName', familyname: 'familyName' } as const

/** Of an object only the parts that it has; nothing removes all of them. */
function changeName(user: ScimUser, value: unknown): ScimUser {
  const isRemoved = value === undefined || value === null
  if (!isRemoved && !isObject(value)) throw invalid('invalidValue', 'name must be an object.')
  const changed = Object.entries(nameParts).flatMap(([part, name]) => {
    const given = memberOf(value, part)
    return given === undefined && !isRemoved ? [] : [[name, readText(given, `name.${part}`)]]
  })
  return { ...user, ...Object.fromEntries(changed) }
}

/** The primary one, that of work, or the first. */
function pickEmail(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const all: unknown[] = Array.isArray(value) ? value : [value]
  const chosen =
    all.find((one) => memberOf(one, 'primary') !== undefined && isTrue(memberOf(one, 'primary'))) ??
    all.find((one) => isWork(memberOf(one, 'type'))) ??
    all[0]
  return readText(typeof chosen === 'string' ? chosen : memberOf(chosen, 'value'), 'emails.value')
}

const isTrue = (value: unknown) => readBoolean(value ?? false, 'emails.primary')
const isWork = (value: unknown) => typeof value === 'string' && value.toLowerCase() === 'work'

/** Whether a filter names an address that is not kept, such as that of home. */
function isOther(where: ScimFilter | undefined): boolean {
  if (where?.kind !== 'compare' || where.op !== 'eq' || where.attribute !== 'type') return false
  return !isWork(where.value)
}

export const addressOf = ({ email, userName }: Pick<ScimUser, 'email' | 'userName'>) => email ?? userName

/** The name of the account. */
export function shownName(user: ScimUser): string {
  const { displayName, givenName, familyName, formatted } = user
  const both = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  return (displayName ?? (both || undefined) ?? formatted ?? addressOf(user)).slice(0, limits.nameLength)
}

/** A user with what only the server knows. */
export interface StoredUser extends ScimUser {
  id: string
  active: boolean
  /** Of the account. */
  address: string
  name: string
  createdAt: Date
  groups: readonly { id: string; name: string }[]
}

/** `base`: the address of the SCIM endpoint. */
export function printUser(user: StoredUser, base: string): Record<string, unknown> {
  const { id, externalId, userName, givenName, familyName, formatted } = user
  return {
    schemas: [userSchema],
    id,
    ...(externalId !== undefined && { externalId }),
    userName,
    name: {
      formatted: formatted ?? user.name,
      ...(givenName !== undefined && { givenName }),
      ...(familyName !== undefined && { familyName }),
    },
    displayName: user.displayName ?? user.name,
    emails: [{ value: user.address, type: 'work', primary: true }],
    active: user.active,
    groups: user.groups.map((group) => ({
      ...{ value: group.id, display: group.name, type: 'direct' },
      $ref: `${base}/Groups/${group.id}`,
    })),
    meta: { resourceType: 'User', created: user.createdAt.toISOString(), location: `${base}/Users/${id}` },
  }
}
