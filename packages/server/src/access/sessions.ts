// Sessions of the console. The cookie contains a random token, the table its hash. The token is rotated twice a
// day; using a token replaced some time ago ends the session, because the cookie may have been stolen.

import { limits } from '@telltale/core/limits'
import { and, asc, desc, eq, gt, inArray, ne, or } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { UserRow } from '../platform/engines/postgres/account-schema.ts'
import { loginSessions, users } from '../platform/engines/postgres/account-schema.ts'
import type { Db, Queryable } from '../platform/engines/postgres/open.ts'
import { installation } from '../platform/engines/postgres/schema.ts'
import { signInProviders } from '../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions } from '../platform/engines/postgres/sign-in-schema.ts'
import { hashSecret, newSecret } from '../platform/http/secret.ts'
import type { Log } from '../platform/process/log.ts'

export type SessionRow = typeof loginSessions.$inferSelect

interface SessionCookie {
  token: string
  maxAge: number
}

/** The sign-in provider that began a session. */
interface SessionProvider {
  id: string
  key: string
  buttonText: string
  reauthenticates: boolean
}

export interface SessionUse {
  user: UserRow
  sessionId: string
  confirmedAt: Date | null
  /** Whether the installation requires a second factor of the user. */
  secondFactorRequired: boolean
  provider: SessionProvider | null
  /** Set if the cookie must be replaced. */
  rotated?: SessionCookie
}

interface NewSession {
  userId: string
  userAgent: string
  now: Date
  /** When a second factor proved it. */
  confirmedAt?: Date | null
  /** Shorter than the longest time. */
  maxAge?: number | undefined
}

export async function beginSession(
  db: Queryable,
  { userId, userAgent, now, confirmedAt = null, maxAge = limits.sessionMaximum }: NewSession,
): Promise<SessionCookie & { id: string }> {
  const token = newSecret()
  const id = newId()
  await db.insert(loginSessions).values({
    id,
    userId,
    tokenHash: hashSecret(token),
    createdAt: now,
    rotatedAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + maxAge),
    userAgent,
    confirmedAt,
  })
  await db.update(users).set({ lastSeenAt: now }).where(eq(users.id, userId))
  await endOldest(db, userId)
  return { id, token, maxAge }
}

/** Finds the valid session of a cookie and records its use. */
export async function useSession(
  { db, clock, log }: { db: Db; clock(): Date; log: Log },
  token: string,
): Promise<SessionUse | undefined> {
  const now = clock()
  const hash = hashSecret(token)
  const found = await findSession(db, hash)
  if (!found || found.user.disabledAt || hasEnded(found.session, now)) return undefined

  const { session, user, policy, provider } = found
  const asksForFactor = policy === 'everyone' || (policy === 'owners' && user.role === 'owner')
  const use = {
    ...{ user, sessionId: session.id, confirmedAt: session.confirmedAt, provider },
    // The provider decides what it asks its users for.
    secondFactorRequired: asksForFactor && provider === null,
  }
  if (session.tokenHash !== hash) {
    if (now.getTime() - session.rotatedAt.getTime() <= limits.sessionRotationGrace) return use
    log.warn({ user: user.id }, 'a session ended because a replaced cookie was used')
    await endSessionById(db, session.id)
    return undefined
  }

  if (now.getTime() - session.rotatedAt.getTime() >= limits.sessionRotation)
    return { ...use, ...(await rotate(db, session, now)) }
  await touch(db, session, now)
  return use
}

const provider = {
  id: signInProviders.id,
  key: signInProviders.key,
  buttonText: signInProviders.buttonText,
  reauthenticates: signInProviders.reauthenticates,
}

async function findSession(db: Queryable, hash: string) {
  const [found] = await db
    .select({ session: loginSessions, user: users, policy: installation.secondFactor, provider })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .innerJoin(installation, eq(installation.id, 1))
    .leftJoin(providerSessions, eq(providerSessions.sessionId, loginSessions.id))
    .leftJoin(signInProviders, eq(signInProviders.id, providerSessions.providerId))
    .where(or(eq(loginSessions.tokenHash, hash), eq(loginSessions.previousTokenHash, hash)))
  return found
}

/** The current user of a session, if the session is still valid. */
export async function findLiveSession(db: Queryable, id: string, now: Date): Promise<UserRow | undefined> {
  const [found] = await db
    .select({ session: loginSessions, user: users })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .where(eq(loginSessions.id, id))
  return found && !found.user.disabledAt && !hasEnded(found.session, now) ? found.user : undefined
}

function hasEnded(session: SessionRow, now: Date): boolean {
  return session.expiresAt <= now || now.getTime() - session.lastUsedAt.getTime() > limits.sessionIdle
}

async function rotate(db: Queryable, session: SessionRow, now: Date): Promise<Pick<SessionUse, 'rotated'>> {
  const token = newSecret()
  const rotated = await db
    .update(loginSessions)
    .set({
      tokenHash: hashSecret(token),
      previousTokenHash: session.tokenHash,
      rotatedAt: now,
      lastUsedAt: now,
    })
    // Of two concurrent requests, one rotates the token; the other's cookie stays valid for the grace period.
    .where(and(eq(loginSessions.id, session.id), eq(loginSessions.tokenHash, session.tokenHash)))
    .returning({ id: loginSessions.id })
  if (rotated.length === 0) return {}

  const maxAge = session.expiresAt.getTime() - now.getTime()
  return { rotated: { token, maxAge } }
}

async function touch(db: Queryable, session: SessionRow, now: Date): Promise<void> {
  if (now.getTime() - session.lastUsedAt.getTime() < limits.lastUsedPrecision) return

  await db.update(loginSessions).set({ lastUsedAt: now }).where(eq(loginSessions.id, session.id))
  await db.update(users).set({ lastSeenAt: now }).where(eq(users.id, session.userId))
}

/** Valid sessions, most recently used first. */
export async function findSessions(db: Queryable, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .select()
    .from(loginSessions)
    .where(
      and(
        eq(loginSessions.userId, userId),
        gt(loginSessions.expiresAt, now),
        gt(loginSessions.lastUsedAt, new Date(now.getTime() - limits.sessionIdle)),
      ),
    )
    .orderBy(desc(loginSessions.lastUsedAt))
}

async function endOldest(db: Queryable, userId: string): Promise<void> {
  const sessions = await db
    .select({ id: loginSessions.id })
    .from(loginSessions)
    .where(eq(loginSessions.userId, userId))
    .orderBy(asc(loginSessions.lastUsedAt))
  const surplus = sessions.slice(0, Math.max(0, sessions.length - limits.sessionsPerUser)).map(({ id }) => id)
  if (surplus.length > 0) await db.delete(loginSessions).where(inArray(loginSessions.id, surplus))
}

export async function endSessionById(db: Queryable, id: string): Promise<void> {
  await db.delete(loginSessions).where(eq(loginSessions.id, id))
}

/** Ends all sessions of a user, except the one to keep. */
export async function endSessions(db: Queryable, userId: string, keptId?: string): Promise<void> {
  await db
    .delete(loginSessions)
    .where(
      and(eq(loginSessions.userId, userId), keptId === undefined ? undefined : ne(loginSessions.id, keptId)),
    )
}
