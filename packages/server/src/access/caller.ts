// The caller of a request: anonymous, a person with a session, or an API token.

import { setTimeout as delay } from 'node:timers/promises'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserRow } from '../platform/engines/postgres/account-schema.ts'
import type { AuditActor } from '../platform/engines/postgres/audit-schema.ts'
import { isOwnOrigin, isSecure } from '../platform/http/address.ts'
import { readSessionCookie, setSessionCookie } from '../platform/http/cookies.ts'
import { hashSecret } from '../platform/http/secret.ts'
import type { Services } from '../platform/services.ts'
import { findToken, type TokenRow, touchToken } from './find-token.ts'
import { isSessionValid, type SessionUse, useSession } from './sessions.ts'

export interface Anonymous {
  kind: 'anonymous'
}

export interface Person {
  kind: 'person'
  user: UserRow
  sessionId: string
  /** When a second factor last proved the session. */
  confirmedAt: Date | null
  /** Whether the installation requires a second factor of the user. */
  secondFactorRequired: boolean
  /** The sign-in provider that began the session. */
  provider: SessionUse['provider']
}

export interface TokenCaller {
  kind: 'token'
  /** The owner of the token. */
  user: UserRow
  token: TokenRow
}

export type Caller = Anonymous | Person | TokenCaller
export type KnownCaller = Person | TokenCaller

/** Identifies the caller. An invalid credential is rejected, never ignored. */
export async function identify(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization !== undefined) return identifyToken(services, authorization)

  const scope = { secure: isSecure(request, services.config) }
  const cookie = readSessionCookie(request, scope)
  if (cookie === undefined) return { kind: 'anonymous' }

  if (request.method !== 'GET' && request.method !== 'HEAD' && !isOwnOrigin(request, services.config)) {
    throw problem(
      'origin-not-allowed',
      `Writes with a session come from ${services.config.publicUrl?.origin ?? 'the console itself'}.`,
    )
  }
  const use: SessionUse | undefined = await useSession(services, {
    token: cookie,
    address: request.ip,
  })
  if (!use) return { kind: 'anonymous' }

  if (use.rotated) setSessionCookie(reply, scope, use.rotated)
  const { rotated: _, ...known } = use
  return { kind: 'person', ...known }
}

/**
 * Whether a request has a valid session; false as well when PostgreSQL does not answer in time. Nothing may depend on
 * it except what is only faster.
 */
export async function isSignedIn(services: Services, request: FastifyRequest): Promise<boolean> {
  const token = readSessionCookie(request, { secure: isSecure(request, services.config) })
  if (token === undefined || !['running', 'external'].includes(services.postgresState())) return false

  const checked = isSessionValid(services.db, { token, now: services.clock() }).catch((error: unknown) => {
    services.log.warn({ error }, 'a page of the console was sent without preloads')
    return false
  })
  return Promise.race([checked, delay(limits.preloadCheck, false, { ref: false })])
}

async function identifyToken(services: Services, authorization: string): Promise<TokenCaller> {
  const value = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (value === undefined) throw problem('unauthenticated', 'Send `Authorization: Bearer <token>`.')

  const now = services.clock()
  const found = await findToken(services.db, hashSecret(value))
  const expired = found?.token.expiresAt && found.token.expiresAt <= now
  if (!found || found.token.revokedAt || found.user.disabledAt || expired) {
    throw problem('unauthenticated', 'The API token is unknown, revoked or expired.')
  }
  services.background(touchToken(services.db, found.token, now), 'recording the use of a token')
  return { kind: 'token', user: found.user, token: found.token }
}

export function actorOf(caller: Caller): AuditActor {
  switch (caller.kind) {
    case 'anonymous':
      return { kind: 'system', id: null, name: 'anonymous' }
    case 'person':
      return { kind: 'user', id: caller.user.id, name: caller.user.name }
    case 'token':
      return { kind: 'token', id: caller.token.id, name: `${caller.token.name} (${caller.user.name})` }
  }
}
