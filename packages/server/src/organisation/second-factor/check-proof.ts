import type { Proof } from '@telltale/core/contract/second-factor'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { lockUser } from '../users/queries.ts'
import type { ChallengeRow } from './challenge.ts'
import { verifyAssertion } from './passkeys.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import type { Site } from './site.ts'
import { stepOfCode } from './totp.ts'

export type GivenProof = Static<typeof Proof>

interface Asked {
  challenge: ChallengeRow
  proof: GivenProof
  site: Site
  now: Date
}

/** The user of the proof, locked. Throws `unauthenticated` with the same message for every cause. */
export async function checkProof(
  db: Queryable,
  { challenge, proof, site, now }: Asked,
): Promise<{ user: UserRow; method: 'totp' | 'passkey' | 'recovery-code' }> {
  if ('passkey' in proof) {
    const passkey = await verifyAssertion(db, proof.passkey, {
      ...{ site, now, challenge: challenge.passkeyChallenge },
      alone: challenge.userId === null,
    })
    const isRight = passkey && (challenge.userId === null || challenge.userId === passkey.userId)
    return { user: await activeUser(db, isRight ? passkey.userId : null), method: 'passkey' }
  }

  const user = await activeUser(db, challenge.userId)
  if ('recoveryCode' in proof) {
    if (!(await useRecoveryCode(db, user.id, proof.recoveryCode))) throw wrong()
    return { user, method: 'recovery-code' }
  }
  const { totpSecret, totpConfirmedAt, totpLastStep } = user
  if (totpSecret === null || totpConfirmedAt === null) throw wrong()
  const step = stepOfCode(totpSecret, proof.totp, { now, lastStep: totpLastStep })
  if (step === undefined) throw wrong()
  await db.update(users).set({ totpLastStep: step }).where(eq(users.id, user.id))
  return { user, method: 'totp' }
}

async function activeUser(db: Queryable, id: string | null): Promise<UserRow> {
  const user = id === null ? undefined : await lockUser(db, id)
  if (user === undefined || user.disabledAt !== null) throw wrong()
  return user
}

const wrong = () => problem('unauthenticated', 'The code or the passkey is not valid.')
