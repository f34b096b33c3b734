// The SDK key of a request: a client key or a server key, each for one environment. Allowed origins keep other
// websites from using a client key. Browsers send the origin with every cross-site request, so a sent origin
// must be on the list; a request without one does not come from another website and is accepted.

import { edgeLimits } from '@telltale/core/edge-limits'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { unavailable } from '../../platform/http/problems.ts'
import { type Relayed, relayClaimOf, trustRelay } from '../../platform/http/relayed.ts'
import { hashSecret } from '../../platform/http/secret.ts'
import type { Services } from '../../platform/services.ts'
import { isAllowedOrigin } from './allowed-origin.ts'
import type { KnownKey, KnownKeys } from './known-keys.ts'

export interface SdkKeys {
  /** The key of the credential, if it is known and allowed from this origin; gives no reason otherwise. */
  find(credential: string, origin: string | undefined): KnownKey | undefined
  /**
   * The key of the request's credential, or of the given one; of a request that an edge passes on, the key of its
   * client. Throws `invalid-key`, `key-revoked` or `origin-not-allowed`; `engine-unavailable` while this cannot be
   * determined.
   */
  authenticate(request: FastifyRequest, credential?: string): KnownKey | Promise<KnownKey>
  /** The same checks for a key that was identified in another way. */
  admit(key: KnownKey, request: FastifyRequest): KnownKey
}

interface SdkKeysOptions {
  clock(): Date
  /** Called for every request with a valid key. */
  noteUse(keyId: string, now: number): void
}

export function createSdkKeys(known: KnownKeys, { clock, noteUse }: SdkKeysOptions): SdkKeys {
  const hashOf = createHashes()

  const admit = (key: KnownKey, { headers }: FastifyRequest) => {
    const now = clock().getTime()
    if (isRevoked(key, now)) throw problem('key-revoked')
    if (!mayBeUsedFrom(key, headers.origin)) {
      throw problem('origin-not-allowed', 'Add this origin to the allowed origins of the environment.')
    }
    noteUse(key.id, now)
    return key
  }

  const lookAgain = async (hash: string, request: FastifyRequest) => {
    const isCertain = await known.lookAgain()
    const key = known.findByHash(hash)
    if (key !== undefined) return admit(key, request)
    throw isCertain ? problem('invalid-key') : unavailable()
  }

  const find = async (hash: string, request: FastifyRequest) => {
    const key = known.findByHash(hash)
    return key === undefined ? lookAgain(hash, request) : admit(key, request)
  }

  const admitRelayed = async ({ keyId, waited }: Relayed, request: FastifyRequest) => {
    const credential = credentialIn(request.headers.authorization, undefined)
    if (credential === undefined) throw problem('invalid-key', 'Send the server key of the edge.')
    const edge = await find(hashOf(credential), request)
    if (edge.kind !== 'server') throw problem('invalid-key', 'An edge requires a server key.')
    // Older telemetry could be of a user whose erasure is no longer known.
    if (waited > edgeLimits.edgeTelemetryAge.value)
      throw problem(
        'invalid-request',
        'The request waited at the edge for longer than telemetry is kept there.',
      )
    const client = known.findById(keyId)
    // Not an error of the edge's key, which an edge would wait for: this request can never be stored.
    if (client === undefined || client.environment.id !== edge.environment.id)
      throw problem(
        'invalid-request',
        'The key of the client does not belong to the environment of the edge.',
      )
    trustRelay(request)
    // The edge checked the key and the origin when the request arrived there.
    noteUse(client.id, clock().getTime())
    return client
  }

  return {
    admit,
    find(credential, origin) {
      const key = known.findByHash(hashOf(credential))
      const now = clock().getTime()
      if (key === undefined || isRevoked(key, now) || !mayBeUsedFrom(key, origin)) return undefined
      noteUse(key.id, now)
      return key
    },
    authenticate(request, given = credentialOf(request)) {
      const relayed = relayClaimOf(request)
      if (relayed !== undefined) return admitRelayed(relayed, request)
      if (given === undefined) {
        throw problem(
          'invalid-key',
          'Send an SDK key as `Authorization: Bearer`, as `X-API-Key` or as `?key=`.',
        )
      }
      const hash = hashOf(given)
      const key = known.findByHash(hash)
      return key === undefined ? lookAgain(hash, request) : admit(key, request)
    },
  }
}

export function isRevoked({ revokedAt }: KnownKey, now: number): boolean {
  return revokedAt !== null && revokedAt <= now
}

export function mayBeUsedFrom(
  { kind, environment: { allowedOrigins } }: KnownKey,
  origin: string | undefined,
) {
  const isLimited = kind === 'client' && allowedOrigins.length > 0
  return !isLimited || origin === undefined || isAllowedOrigin(origin, allowedOrigins)
}

const bearer = /^Bearer +(\S+) *$/i

/** The credential of a request, wherever clients may send it. */
export function credentialOf({ headers, query }: FastifyRequest): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers
  return credentialIn(authorization, Array.isArray(apiKey) ? undefined : apiKey) ?? queryValue(query, 'key')
}

/** The credential in the headers `Authorization` and `X-API-Key`. */
export function credentialIn(
  authorization: string | undefined,
  apiKey: string | undefined,
): string | undefined {
  const given = (authorization === undefined ? undefined : bearer.exec(authorization)?.[1]) ?? apiKey
  return given === '' ? undefined : given
}

const hashesKept = 10_000

/** Hashes of recent credentials: most requests use the same few. */
function createHashes() {
  const hashes = new Map<string, string>()

  return (credential: string) => {
    const known = hashes.get(credential)
    if (known !== undefined) return known
    // Guessed keys would fill the cache, so it is cleared.
    if (hashes.size >= hashesKept) hashes.clear()
    const hash = hashSecret(credential)
    hashes.set(credential, hash)
    return hash
  }
}

/** A parameter that occurs once and is not empty. */
export function queryValue(query: unknown, name: string): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const value: unknown = Reflect.get(query, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Writes last-used times in the background, at most once a minute for each key. */
export function createUseNotes({ db, background, log }: Pick<Services, 'db' | 'background' | 'log'>) {
  const notedAt = new Map<string, number>()

  return (id: string, now: number) => {
    if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < limits.lastUsedPrecision) return
    notedAt.set(id, now)
    const written = db
      .update(sdkKeys)
      .set({ lastUsedAt: new Date(now) })
      .where(eq(sdkKeys.id, id))
      .then(
        () => undefined,
        (error: unknown) => log.debug({ err: error }, 'the use of a key was not recorded'),
      )
    background(written, 'recording the use of a key')
  }
}
