// Reads the groups of sessions again, every hour, with their refresh tokens. What the provider refuses ends the session; while
// it is down, sessions go on and are tried again, for as long as sessions last whose groups cannot be read.

import { limits } from '@telltale/core/limits'
import { readClaims } from '@telltale/core/sign-in/read-claims'
import { and, asc, eq, isNull, lte, or } from 'drizzle-orm'
import * as oidc from 'openid-client'
import { endSessionById } from '../../access/sessions.ts'
import { loginSessions, users } from '../../platform/engines/postgres/account-schema.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'
import type { Services } from '../../platform/services.ts'
import { lockUser } from '../users/queries.ts'
import { applyGroups } from './apply-groups.ts'
import { type Arrival, readArrival } from './exchange-code.ts'
import { explainFailure } from './explain-failure.ts'
import { findAccount } from './find-account.ts'
import { openProvider } from './provider-client.ts'

type Parts = Pick<Services, 'db' | 'config' | 'log' | 'clock'>
type SessionRow = typeof providerSessions.$inferSelect

interface DueSession {
  session: SessionRow
  provider: SignInProviderRow
}

/**
 * One round: the sessions that are due, of which each server takes others. Each is leased when its turn comes: with a slow
 * provider a round takes longer than a lease, and most providers accept a refresh token once.
 */
export async function refreshSessions(parts: Parts): Promise<void> {
  for (let count = 0; count < limits.providerRefreshesAtOnce; count += 1) {
    const due = await leaseNext(parts.db, parts.clock())
    if (due === undefined) return
    await refreshSession(parts, due)
  }
}

async function leaseNext(db: Db, now: Date): Promise<DueSession | undefined> {
  const leasedUntil = new Date(now.getTime() + limits.providerRefreshLease)
  return db.transaction(async (transaction) => {
    const { sessionId, refreshAt, leasedUntil: lease } = providerSessions
    const [due] = await transaction
      .select({ session: providerSessions, provider: signInProviders })
      .from(providerSessions)
      .innerJoin(signInProviders, eq(signInProviders.id, providerSessions.providerId))
      .where(and(lte(refreshAt, now), or(isNull(lease), lte(lease, now))))
      .orderBy(asc(refreshAt))
      .limit(1)
      .for('update', { of: providerSessions, skipLocked: true })
    if (due !== undefined) {
      const isDue = eq(sessionId, due.session.sessionId)
      await transaction.update(providerSessions).set({ leasedUntil }).where(isDue)
    }
    return due
  })
}

async function refreshSession(parts: Parts, { session, provider }: DueSession): Promise<void> {
  const { db, config, log, clock } = parts
  const origin = {
    actor: { kind: 'system', id: provider.id, name: provider.buttonText },
    requestId: null,
    now: clock(),
  } as const
  try {
    const arrival = await refresh(provider, session, config.webhookNetworks)
    await keepTokens(db, session, arrival)
    await applyRefresh(db, origin, { session, provider, arrival })
  } catch (error) {
    const failures = session.failures + 1
    if (isFinal(error) || failures > failuresTolerated) {
      const reason = isFinal(error) ? 'ended the sign-in' : 'has not answered for too long'
      await endRefused(db, origin, { session, provider, reason })
      return
    }
    log.warn({ err: error, provider: provider.key }, `groups were not read: ${explainFailure(error).message}`)
    await db
      .update(providerSessions)
      .set({
        failures,
        leasedUntil: null,
        refreshAt: new Date(clock().getTime() + limits.providerRefreshRetry),
      })
      .where(eq(providerSessions.sessionId, session.sessionId))
  }
}

/** In a row. */
const failuresTolerated = limits.providerSessionMaximum / limits.providerRefreshRetry

/** The provider answered that the account or its consent is gone. Everything else may be a mistake of ours, or passing. */
const isFinal = (error: unknown) =>
  error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant' && error.status < 500

async function refresh(
  provider: SignInProviderRow,
  { refreshToken, subject, idToken }: SessionRow,
  networks: readonly string[],
): Promise<Arrival> {
  const config = await openProvider(provider, networks)
  const tokens = await oidc.refreshTokenGrant(config, refreshToken ?? '')
  return readArrival(config, provider, { tokens, before: { subject, idToken } })
}

/** First, and whatever happens to the roles: providers that rotate refresh tokens accept each one once. */
async function keepTokens(db: Db, { sessionId, refreshToken }: SessionRow, arrival: Arrival): Promise<void> {
  await db
    .update(providerSessions)
    .set({ idToken: arrival.idToken, refreshToken: arrival.refreshToken ?? refreshToken })
    .where(eq(providerSessions.sessionId, sessionId))
}

interface Refreshed extends DueSession {
  arrival: Arrival
}

const applyRefresh = change(async (context, { session, provider, arrival }: Refreshed) => {
  const { db, now } = context
  const user = await lockUserOf(context, session)
  if (user === undefined) return { reply: null, changes: [] }
  const known = readClaims(arrival.claims, provider.groupsClaim)
  const found = await findAccount(db, provider, { subject: session.subject, known })
  if (found.kind !== 'known' || found.user.id !== user.id) {
    await endSessionById(db, session.sessionId)
    return {
      reply: null,
      changes: [ended(user, found.kind === 'refused' ? found.reason : 'Another account')],
    }
  }
  const grouped =
    known.groups === undefined
      ? { changes: [] }
      : await applyGroups(context, { user, provider, groups: known.groups })
  await db
    .update(providerSessions)
    .set({
      ...{ failures: 0, leasedUntil: null },
      refreshAt: new Date(now.getTime() + limits.providerRefreshInterval),
    })
    .where(eq(providerSessions.sessionId, session.sessionId))
  return { reply: null, changes: grouped.changes }
})

const endRefused = change(async (context, { session, provider, reason }: DueSession & { reason: string }) => {
  const user = await lockUserOf(context, session)
  await endSessionById(context.db, session.sessionId)
  return {
    reply: null,
    changes: user === undefined ? [] : [ended(user, `${provider.key} ${reason}`)],
  }
})

async function lockUserOf({ db }: { db: Parameters<typeof lockUser>[0] }, { sessionId }: SessionRow) {
  const [found] = await db
    .select({ userId: users.id })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .where(eq(loginSessions.id, sessionId))
  return found && lockUser(db, found.userId)
}

const ended = (user: { id: string; email: string }, reason: string): EntityChange => ({
  action: 'session.end',
  entity: { kind: 'user', id: user.id, name: user.email },
  reason,
})
