// Sessions of the console. The cookie contains a random token, the table its hash. The token is rotated twice a
// day; using a token replaced some time ago ends the session, because the cookie may have been stolen.

import { limits } from '@telltale/core/limits'
import type { SecondFactorPolicy } from '@telltale/core/permissions'
import { administers } from '@telltale/core/rights'
import { and, asc, desc, eq, inArray, ne, or } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { UserRow } from '../platform/engines/postgres/account-schema.ts'
import { loginSessions, users } from '../platform/engines/postgres/account-schema.ts'
import type { Db, Queryable } from '../platform/engines/postgres/open.ts'
import { installation } from '../platform/engines/postgres/schema.ts'
import { signInProviders } from '../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions } from '../platform/engines/postgres/sign-in-schema.ts'
import { hashSecret, newSecret } from '../platform/http/secret.ts'
import type { Log } from '../platform/process/log.ts'
import { findRights } from './find-rights.ts'
import { noteDevice } from './note-device.ts'

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
  /** Shorter than the longest time of the installation. */
  maxAge?: number | undefined
}

export async function beginSession(
  db: Queryable,
  { userId, userAgent, now, confirmedAt = null, ...given }: NewSession,
): Promise<SessionCookie & { id: string }> {
  const { longest } = await findLifetimes(db)
  const maxAge = Math.min(given.maxAge ?? longest, longest)
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
  await noteDevice(db, { userId, userAgent, now })
  return { id, token, maxAge }
}

/** Finds the valid session of a cookie and records its use. */
export async function useSession(
  { db, clock, log }: { db: Db; clock(): Date; log: Log },
  { token, address }: { token: string; address: string },
): Promise<SessionUse | undefined> {
  const now = clock()
  const hash = hashSecret(token)
  const found = await findSession(db, hash)
  if (!found || found.user.disabledAt || hasEnded(found.session, found, now)) return undefined

  const { session, user, policy, provider } = found
  const use = {
    ...{ user, sessionId: session.id, confirmedAt: session.confirmedAt, provider },
    // The provider decides what it asks its users for.
    secondFactorRequired: provider === null && (await needsFactor(db, user, policy)),
  }
  if (session.tokenHash !== hash) {
    if (isInGrace(session, now)) return use
    log.warn({ user: user.id }, 'a session ended because a replaced cookie was used')
    await endSessionById(db, session.id)
    return undefined
  }

  if (now.getTime() - session.rotatedAt.getTime() >= limits.sessionRotation)
    return { ...use, ...(await rotate(db, { session, longest: found.longest, address }, now)) }
  await touch(db, { session, address }, now)
  return use
}

async function needsFactor(
  db: Queryable,
  { id, role }: UserRow,
  policy: SecondFactorPolicy,
): Promise<boolean> {
  switch (policy) {
    case 'optional':
      return false
    case 'everyone':
      return true
    case 'owners':
      return role === 'owner'
    case 'admins':
      return role === 'owner' || [...(await findRights(db, { userId: id })).values()].some(administers)
  }
}

const provider = {
  id: signInProviders.id,
  key: signInProviders.key,
  buttonText: signInProviders.buttonText,
  reauthenticates: signInProviders.reauthenticates,
}

async function findSession(db: Queryable, hash: string) {
  const [found] = await db
    .select({
      session: loginSessions,
      user: users,
      policy: installation.secondFactor,
      provider,
      ...lifetimes,
    })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .innerJoin(installation, eq(installation.id, 1))
    .leftJoin(providerSessions, eq(providerSessions.sessionId, loginSessions.id))
    .leftJoin(signInProviders, eq(signInProviders.id, providerSessions.providerId))
    .where(or(eq(loginSessions.tokenHash, hash), eq(loginSessions.previousTokenHash, hash)))
  return found
}

/** Whether a cookie would be accepted now, without recording a use. */
export async function isSessionValid(
  db: Queryable,
  { token, now }: { token: string; now: Date },
): Promise<boolean> {
  const hash = hashSecret(token)
  const found = await findSession(db, hash)
  if (!found || found.user.disabledAt || hasEnded(found.session, found, now)) return false
  return found.session.tokenHash === hash || isInGrace(found.session, now)
}

/** Whether a cookie that was replaced is still accepted. */
const isInGrace = ({ rotatedAt }: SessionRow, now: Date) =>
  now.getTime() - rotatedAt.getTime() <= limits.sessionRotationGrace

/** The current user of a session, if the session is still valid. */
export async function findLiveSession(db: Queryable, id: string, now: Date): Promise<UserRow | undefined> {
  const [found] = await db
    .select({ session: loginSessions, user: users, ...lifetimes })
    .from(loginSessions)
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .innerJoin(installation, eq(installation.id, 1))
    .where(eq(loginSessions.id, id))
  return found && !found.user.disabledAt && !hasEnded(found.session, found, now) ? found.user : undefined
}

const lifetimes = { idle: installation.sessionIdle, longest: installation.sessionMaximum }

/** In milliseconds. */
interface Lifetimes {
  idle: number
  longest: number
}

async function findLifetimes(db: Queryable): Promise<Lifetimes> {
  const [found] = await db.select(lifetimes).from(installation).where(eq(installation.id, 1))
  return found ?? { idle: limits.sessionIdle, longest: limits.sessionMaximum }
}

/** A shorter lifetime applies to running sessions as well; a longer one only to the next. */
function hasEnded(session: SessionRow, { idle, longest }: Lifetimes, now: Date): boolean {
  return endOf(session, longest) <= now || now.getTime() - session.lastUsedAt.getTime() > idle
}

export function endOf({ createdAt, expiresAt }: SessionRow, longest: number): Date {
  return new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + longest))
}

async function rotate(
  db: Queryable,
  { session, longest, address }: { session: SessionRow; longest: number; address: string },
  now: Date,
): Promise<Pick<SessionUse, 'rotated'>> {
  const token = newSecret()
  const rotated = await db
    .update(loginSessions)
    .set({
      tokenHash: hashSecret(token),
      previousTokenHash: session.tokenHash,
      rotatedAt: now,
      lastUsedAt: now,
      address,
    })
    // Of two concurrent requests, one rotates the token; the other's cookie stays valid for the grace period.
    .where(and(eq(loginSessions.id, session.id), eq(loginSessions.tokenHash, session.tokenHash)))
    .returning({ id: loginSessions.id })
  if (rotated.length === 0) return {}

  const maxAge = endOf(session, longest).getTime() - now.getTime()
  return { rotated: { token, maxAge } }
}

async function touch(
  db: Queryable,
  { session, address }: { session: SessionRow; address: string },
  now: Date,
): Promise<void> {
  const isRecent = now.getTime() - session.lastUsedAt.getTime() < limits.lastUsedPrecision
  if (isRecent && session.address === address) return

  await db.update(loginSessions).set({ lastUsedAt: now, address }).where(eq(loginSessions.id, session.id))
  await db.update(users).set({ lastSeenAt: now }).where(eq(users.id, session.userId))
}

/** Valid sessions, most recently used first. */
export async function findSessions(db: Queryable, userId: string, now: Date): Promise<SessionRow[]> {
  const known = await findLifetimes(db)
  const rows = await db
    .select()
    .from(loginSessions)
    .where(eq(loginSessions.userId, userId))
    .orderBy(desc(loginSessions.lastUsedAt))
  return rows
    .filter((session) => !hasEnded(session, known, now))
    .map((session) => ({ ...session, expiresAt: endOf(session, known.longest) }))
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

/** Ends all sessions of a user, except the one to keep. Returns their number. */
export async function endSessions(db: Queryable, userId: string, keptId?: string): Promise<number> {
  const ended = await db
    .delete(loginSessions)
    .where(
      and(eq(loginSessions.userId, userId), keptId === undefined ? undefined : ne(loginSessions.id, keptId)),
    )
    .returning({ id: loginSessions.id })
  return ended.length
}
