// The settings and keys of one environment as an edge holds them, in memory and on its disk. Settings that only the
// intake uses are left out, and so are values of keys and the secret of toolbar links.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type KnownEnvironment, KnownKeySchema } from './known-keys.ts'

const { id, kind, hash, revokedAt, environment } = KnownKeySchema.properties
const needed = [
  'id',
  'key',
  'projectId',
  'allowedOrigins',
  'sampling',
  'privacyLevel',
  'unmaskAllowed',
  'privacyRules',
  'consoleRecorded',
  'requestRules',
  'scrub',
  'sensitiveTraits',
  'signedUsers',
  'flagsmith',
] as const

const EdgeEnvironment = Type.Pick(environment, needed)
const rates = { replay: Type.Number(), profile: Type.Number() }
const Rates = Type.Object(rates)
const Order = Type.Object({
  flag: Type.Optional(Type.String()),
  variation: Type.Optional(Type.String()),
  page: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  device: Type.Optional(Type.String()),
  ...rates,
})
const EdgeDocumentSchema = Type.Object({
  environment: EdgeEnvironment,
  keys: Type.Array(Type.Object({ id, kind, hash, revokedAt })),
  /** A quota is reached: recordings are not worth sending. */
  pausesRecording: Type.Boolean(),
  /** Missing from servers of earlier versions, and while nothing is ordered. */
  recording: Type.Optional(Type.Object({ base: Rates, orders: Type.Array(Order) })),
})
const schema = Compile(EdgeDocumentSchema)

export type EdgeDocument = Static<typeof EdgeDocumentSchema>

export function isEdgeDocument(given: unknown): given is EdgeDocument {
  return schema.Check(given)
}

export function edgeEnvironmentOf(given: KnownEnvironment): EdgeDocument['environment'] {
  const { id, key, projectId, allowedOrigins, sampling, privacyLevel, ...rest } = given
  const { unmaskAllowed, privacyRules, consoleRecorded, requestRules } = rest
  const { scrub, sensitiveTraits, signedUsers, flagsmith } = rest
  return {
    ...{ id, key, projectId, allowedOrigins, sampling, privacyLevel },
    ...(unmaskAllowed === undefined ? {} : { unmaskAllowed }),
    ...(privacyRules === undefined ? {} : { privacyRules }),
    ...(consoleRecorded === undefined ? {} : { consoleRecorded }),
    ...(requestRules === undefined ? {} : { requestRules }),
    ...(scrub === undefined ? {} : { scrub }),
    ...(sensitiveTraits === undefined ? {} : { sensitiveTraits }),
    ...(signedUsers === undefined ? {} : { signedUsers }),
    ...(flagsmith === undefined ? {} : { flagsmith }),
  }
}
