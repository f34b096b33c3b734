import { Problem, problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { Person } from '../../access/caller.ts'
import { loginSessions } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeOrigin, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { attemptChallenge, type ChallengeRow, endChallenge } from './challenge.ts'
import { checkProof, type GivenProof } from './check-proof.ts'
import type { Site } from './site.ts'

interface Confirming {
  caller: Person
  token: string
  proof: GivenProof
  site: Site
}

/** Throws `invalid-request` for a wrong proof: the session goes on. */
export async function confirmSession(
  db: Db,
  origin: ChangeOrigin,
  { token, ...given }: Confirming,
): Promise<null> {
  const challenge = await attemptChallenge(db, token, {
    ...{ purpose: 'confirmation', now: origin.now },
    isCode: 'totp' in given.proof,
  })
  return confirm(db, origin, { challenge, ...given })
}

const confirm = change(
  async ({ db, now }, given: Omit<Confirming, 'token'> & { challenge: ChallengeRow }) => {
    const { caller, challenge, proof, site } = given
    if (challenge.userId !== caller.user.id) throw problem('link-expired')
    await checkProof(db, { challenge, proof, site, now }).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'unauthenticated') throw error
      throw problem('invalid-request', {
        errors: [{ pointer: '/proof', message: 'The code or the passkey is not valid.' }],
      })
    })
    await endChallenge(db, challenge.id)
    await db.update(loginSessions).set({ confirmedAt: now }).where(eq(loginSessions.id, caller.sessionId))
    const confirmed: EntityChange = {
      action: 'session.confirm',
      entity: { kind: 'user', id: caller.user.id, name: caller.user.email },
    }
    return { reply: null, changes: [confirmed] }
  },
)
