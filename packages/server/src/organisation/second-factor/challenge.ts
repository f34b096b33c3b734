// A challenge waits for a proof: of a sign-in, of a session that is confirmed, or of a new passkey.

import type { Challenge } from '@telltale/core/contract/second-factor'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { challenges } from '../../platform/engines/postgres/second-factor-schema.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import { assertionOptions, findPasskeys } from './passkeys.ts'
import { countRecoveryCodes } from './recovery-codes.ts'
import { type Site, takesPasskeys } from './site.ts'

export type ChallengeRow = typeof challenges.$inferSelect
type Purpose = ChallengeRow['purpose']

/** Wrong codes are counted for this long, also those of challenges that have ended. */
const countedFor = 60 * 60_000

interface NewChallenge {
  userId: string | null
  purpose: Purpose
  passkeyChallenge: string
  now: Date
}

/** Resolves to the token with which it is answered. Throws `rate-limited` if too many of strangers wait. */
export async function storeChallenge(
  db: Queryable,
  { userId, purpose, passkeyChallenge, now }: NewChallenge,
): Promise<{ token: string; expiresAt: Date }> {
  await removeOld(db, now)
  const ofAnyone = isNull(challenges.userId)
  // Strangers can start these, and must not keep the others out.
  if (userId === null && (await db.$count(challenges, ofAnyone)) >= limits.challengesOpen)
    throw problem('rate-limited')
  const token = newSecret()
  const expiresAt = new Date(now.getTime() + limits.challengeLifetime)
  const tokenHash = hashSecret(token)
  await db
    .insert(challenges)
    .values({ id: newId(), userId, purpose, tokenHash, passkeyChallenge, createdAt: now, expiresAt })
  return { token, expiresAt }
}

async function removeOld(db: Queryable, now: Date): Promise<void> {
  const { userId, createdAt, expiresAt } = challenges
  const isOver = and(isNull(userId), lte(expiresAt, now))
  await db.delete(challenges).where(or(isOver, lt(createdAt, new Date(now.getTime() - countedFor))))
}

/** Asks a user for one of their second factors. */
export async function challengeUser(
  db: Queryable,
  user: UserRow,
  { purpose, site, now }: { purpose: Purpose; site: Site; now: Date },
): Promise<Static<typeof Challenge>> {
  const known = takesPasskeys(site) ? await findPasskeys(db, user.id) : []
  const passkey = known.length > 0 ? await assertionOptions(site, known) : null
  const hasCodes = (await countRecoveryCodes(db, user.id)) > 0
  const { token, expiresAt } = await storeChallenge(db, {
    ...{ userId: user.id, purpose, now },
    passkeyChallenge: passkey?.challenge ?? '',
  })
  return {
    token,
    expiresAt: expiresAt.toISOString(),
    methods: [
      ...(passkey === null ? [] : (['passkey'] as const)),
      ...(user.totpConfirmedAt === null ? [] : (['totp'] as const)),
      ...(hasCodes ? (['recovery-code'] as const) : []),
    ],
    passkey,
  }
}

/** Asks for any passkey of the site, which names its user. */
export async function challengeAnyone(
  db: Queryable,
  { site, now }: { site: Site; now: Date },
): Promise<Static<typeof Challenge>> {
  const passkey = await assertionOptions(site, [])
  const { token, expiresAt } = await storeChallenge(db, {
    ...{ userId: null, purpose: 'sign-in', now },
    passkeyChallenge: passkey.challenge,
  })
  return { token, expiresAt: expiresAt.toISOString(), methods: ['passkey'], passkey }
}

interface Attempt {
  purpose: Purpose
  now: Date
  /** Six digits can be guessed; passkeys and recovery codes cannot, and still work for a user whose codes are. */
  isCode: boolean
}

/**
 * Counts an attempt before the proof is checked, so that concurrent guesses count as well. Not in the transaction of the
 * check, which a wrong proof rolls back. Throws `link-expired` or `rate-limited`.
 */
export async function attemptChallenge(
  db: Queryable,
  token: string,
  { purpose, now, isCode }: Attempt,
): Promise<ChallengeRow> {
  const [row] = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(
      and(
        eq(challenges.tokenHash, hashSecret(token)),
        eq(challenges.purpose, purpose),
        gt(challenges.expiresAt, now),
        lt(challenges.attempts, limits.challengeAttempts),
      ),
    )
    .returning()
  if (row === undefined) throw problem('link-expired', 'This sign-in has expired. Start again.')
  if (row.userId === null || !isCode) return row
  const [{ attempts } = { attempts: 0 }] = await db
    .select({ attempts: sql<number>`coalesce(sum(${challenges.attempts}), 0)::int` })
    .from(challenges)
    .where(
      and(eq(challenges.userId, row.userId), gt(challenges.createdAt, new Date(now.getTime() - countedFor))),
    )
  if (attempts > limits.codeAttempts) {
    throw problem('rate-limited', {
      detail: `At most ${limits.codeAttempts} codes an hour for one account.`,
      retryAfterSeconds: countedFor / 1_000,
    })
  }
  return row
}

/** Of two requests with the same proof, one passes. */
export async function endChallenge(db: Queryable, id: string): Promise<void> {
  const deleted = await db.delete(challenges).where(eq(challenges.id, id)).returning()
  if (deleted.length === 0) throw problem('link-expired', 'This sign-in was already used. Start again.')
}
