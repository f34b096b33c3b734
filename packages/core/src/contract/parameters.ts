// Schemas used by more than one call.

import { type TObject, type TSchema, Type } from 'typebox'
import { keyPattern } from '../keys.ts'
import { limits } from '../limits.ts'
import { installationRoles, projectRoles, tokenRoles } from '../permissions.ts'
import { allPermissions } from '../rights.ts'

const strict = { additionalProperties: false } as const

/** An object that refuses unknown members, for requests. */
export function Strict<const Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, strict)
}

export const Key = Type.String({
  pattern: keyPattern,
  maxLength: limits.keyLength,
  description:
    'Lowercase letters, digits, dot, hyphen and underscore; starts with a letter or digit. Cannot be changed.',
})
export const Id = Type.String({ format: 'uuid', description: 'A UUIDv7.' })
export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })
/** The format of a request parameter: neither database engine supports every year of ISO 8601. */
export const InstantParameter = Type.String({
  format: 'date-time',
  pattern: '^(19[7-9]|20[0-9])',
  description: 'ISO 8601, UTC, from 1970 to 2099.',
})
export const Name = Type.String({ minLength: 1, maxLength: limits.nameLength, pattern: '\\S' })
/** Why the user makes a change, in their words. */
export const Reason = Type.String({ minLength: 1, maxLength: limits.descriptionLength })
export const Email = Type.String({ format: 'email', maxLength: limits.emailLength })
export const Password = Type.String({ minLength: limits.passwordMinimum, maxLength: limits.passwordMaximum })
/**
 * A password to verify: any length up to the maximum, so that an old password is not distinguishable from a wrong one.
 */
export const GivenPassword = Type.String({ minLength: 1, maxLength: limits.passwordMaximum })
export const Secret = Type.String({ minLength: 1, maxLength: 200 })
export const Version = Type.Integer({ minimum: 1 })

/** Acknowledges that the change affects data that running rollouts depend on. */
export const EndsEvidenceOf = Type.Array(Id, {
  maxItems: limits.rolloutsAcknowledged,
  uniqueItems: true,
  description: 'Running rollouts that depend on this, as listed by `guard-running`: restarts their evidence.',
})

/** Identifies the subject of an evaluation. Any text without U+0000, which PostgreSQL cannot store. */
export const TargetingKey = Type.String({
  minLength: 1,
  maxLength: limits.targetingKeyLength,
  pattern: '^[^\\u0000]*$',
})

export const InstallationRole = Type.Enum([...installationRoles])
export const ProjectRole = Type.Enum([...projectRoles])
export const TokenRole = Type.Enum([...tokenRoles])
/** Any role of a project: a built-in one, or an own one by its key. */
export const RoleKey = Type.String({
  pattern: keyPattern,
  maxLength: limits.keyLength,
  description: 'Key of a role: `viewer`, `editor`, `maintainer`, `admin`, or an own role of the project.',
})
export const Permission = Type.Enum(allPermissions)

export const Nothing = Type.Null()

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** For documents of other products, which leave a member out or set it to null. */
export function OptionalOrNull<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** Every path parameter by name; a name has the same meaning in every path. */
export const pathParameters = {
  project: Key,
  env: Key,
  user: Id,
  session: Id,
  passkey: Id,
  provider: Key,
  team: Key,
  scimToken: Id,
  role: Key,
  token: Id,
  deviceLogin: Type.String({
    pattern: '^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$',
    description: 'The code that the device shows: `BCDF-GHJK`.',
  }),
  key: Id,
  invitation: Id,
  flag: Key,
  segment: Key,
  metric: Key,
  template: Key,
  layer: Key,
  holdout: Key,
  changeRequest: Id,
  issue: Type.String({
    pattern: '^([0-9]{1,20}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$',
    description: 'Id of an error issue or error group, as in events and filters.',
  }),
  event: Type.String({
    pattern: '^(newest|oldest|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$',
    description: 'The id of an event, `newest` or `oldest`.',
  }),
  trace: Type.String({
    pattern: '^[0-9a-f]{32}$',
    description: 'ID of a trace: 32 hex digits in lower case.',
  }),
  span: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'ID of a span: 16 hex digits in lower case.' }),
  sourceMap: Id,
  scheduledChange: Id,
  erasure: Id,
  rollout: Id,
  experiment: Id,
  profile: Id,
  asset: Id,
  note: Id,
  comment: Id,
  savedView: Id,
  dashboard: Id,
  tile: Id,
  shareLink: Id,
  signingSecret: Id,
  playlist: Id,
  channel: Id,
  delivery: Id,
  deploy: Id,
  alert: Id,
  quota: Id,
  targetingKey: TargetingKey,
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'A version, counted from 1.' }),
} as const satisfies Record<string, TSchema>

export type PathParameter = keyof typeof pathParameters

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageSizeMaximum, description: `Default ${limits.pageSize}.` }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.cursorLength,
      description: '`next` of the previous page.',
    }),
  ),
}

/** One page of a list. `next` is the cursor of the following page, null on the last one. */
export function Page<Item extends TSchema>(
  item: Item,
): TObject<{
  items: ReturnType<typeof Type.Array<Item>>
  next: ReturnType<typeof Nullable<ReturnType<typeof Type.String>>>
}> {
  return Type.Object({ items: Type.Array(item), next: Nullable(Type.String()) })
}
