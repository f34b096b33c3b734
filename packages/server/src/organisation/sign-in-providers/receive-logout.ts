// Back-channel logout (OpenID Connect Back-Channel Logout 1.0): the provider says that a session there has ended.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq, inArray, lte } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import { loginSessions, users } from '../../platform/engines/postgres/account-schema.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions, usedLogoutTokens } from '../../platform/engines/postgres/sign-in-schema.ts'
import { createGuardedFetch } from '../../platform/http/guarded-fetch.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { addressKey, createRateLimit } from '../../platform/http/rate-limit.ts'
import { readRequest } from '../../platform/memory/read-request.ts'
import type { Services } from '../../platform/services.ts'
import { atProvider } from './explain-failure.ts'
import { logoutPath } from './provider.ts'
import { openProvider } from './provider-client.ts'
import { findProvider } from './queries.ts'

type LogoutRequest = FastifyRequest<{ Params: { provider: string } }>

export async function bindProviderLogout(server: FastifyInstance, services: Services): Promise<void> {
  const rate = createRateLimit(services.config.managementRate, services.elapsed)
  await server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', readRequest)
    scope.post(logoutPath, { bodyLimit: limits.anonymousBodySize }, async (request: LogoutRequest, reply) => {
      rate.take(`address ${addressKey(request.ip)}`)
      await receive(services, request)
      return reply.code(200).header('cache-control', 'no-store').send()
    })
    done()
  })
  refuseOtherMethods(server, logoutPath, ['POST'])
}

async function receive(services: Services, request: LogoutRequest): Promise<void> {
  const { db, clock, config, log } = services
  const provider = await findProvider(db, request.params.provider)
  if (provider === undefined) throw problem('not-found', 'There is no such sign-in provider.')
  const text = request.body instanceof Uint8Array ? Buffer.from(request.body).toString('utf8') : ''
  const token = new URLSearchParams(text).get('logout_token')
  if (token === null) throw invalid('is missing')
  const claims = await atProvider({ log, provider: provider.key }, () =>
    verifyLogoutToken(token, { provider, networks: config.webhookNetworks, now: clock() }),
  )
  const actor = { kind: 'system', id: provider.id, name: provider.buttonText } as const
  await endByProvider(db, { actor, requestId: request.id, now: clock() }, { provider, claims })
}

const invalid = (message: string) =>
  problem('invalid-request', { errors: [{ pointer: '/logout_token', message }] })

interface LogoutClaims {
  tokenId: string
  subject: string | undefined
  providerSession: string | undefined
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

interface Verifying {
  provider: SignInProviderRow
  networks: readonly string[]
  now: Date
}

async function verifyLogoutToken(
  token: string,
  { provider, networks, now }: Verifying,
): Promise<LogoutClaims> {
  const { issuer, jwks_uri: address } = (await openProvider(provider, networks)).serverMetadata()
  if (address === undefined) throw problem('sign-in-failed', 'The provider has no signing keys.')
  const guarded = createGuardedFetch(networks)
  const keys = createRemoteJWKSet(new URL(address), {
    [customFetch]: (url, { method, headers, signal }) =>
      guarded(url, { method, headers: Object.fromEntries(headers), signal }),
    timeoutDuration: limits.providerTimeout,
  })
  const clockTolerance = limits.providerClockTolerance / 1_000
  const { payload } = await jwtVerify(token, keys, {
    ...{ issuer, audience: provider.clientId, currentDate: now, clockTolerance },
    // Asymmetric ones only: the client secret signs nothing here.
    algorithms: [
      'RS256',
      'RS384',
      'RS512',
      'PS256',
      'PS384',
      'PS512',
      'ES256',
      'ES384',
      'ES512',
      'Ed25519',
      'EdDSA',
    ],
    maxTokenAge: clockTolerance,
    requiredClaims: ['jti', 'iat', 'events'],
  }).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? invalid('is not a valid logout token of the provider') : error
  })
  return readLogoutClaims(payload)
}

function readLogoutClaims(payload: JWTPayload): LogoutClaims {
  const { events, nonce, jti = '', sub, sid } = payload
  // An ID token is no logout token: it has a nonce, and not this event.
  const isEvent = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
  if (!isEvent || nonce !== undefined) throw invalid('is not a logout token')
  const providerSession = typeof sid === 'string' ? sid : undefined
  if (sub === undefined && providerSession === undefined)
    throw invalid('names neither a subject nor a session')
  return { tokenId: jti, subject: sub, providerSession }
}

interface Ending {
  provider: SignInProviderRow
  claims: LogoutClaims
}

/** A token works once. Without a session it ends all sessions of the subject. */
const endByProvider = change(async ({ db, now }, { provider, claims }: Ending) => {
  const { tokenId, subject, providerSession } = claims
  await db.delete(usedLogoutTokens).where(lte(usedLogoutTokens.expiresAt, now))
  const expiresAt = new Date(now.getTime() + 3 * limits.providerClockTolerance)
  const first = await db
    .insert(usedLogoutTokens)
    .values({ providerId: provider.id, tokenId, expiresAt })
    .onConflictDoNothing()
    .returning()
  if (first.length === 0) throw invalid('was used before')

  const sessions = await db
    .select({ id: loginSessions.id, user: users })
    .from(providerSessions)
    .innerJoin(loginSessions, eq(loginSessions.id, providerSessions.sessionId))
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .where(
      and(
        eq(providerSessions.providerId, provider.id),
        subject === undefined ? undefined : eq(providerSessions.subject, subject),
        providerSession === undefined ? undefined : eq(providerSessions.providerSession, providerSession),
      ),
    )
  const ids = sessions.map(({ id }) => id)
  if (ids.length > 0) await db.delete(loginSessions).where(inArray(loginSessions.id, ids))
  const changes = sessions.map(
    ({ user }): EntityChange => ({
      action: 'session.end',
      entity: { kind: 'user', id: user.id, name: user.email },
      reason: `Signed out at ${provider.key}`,
    }),
  )
  return { reply: null, changes }
})
