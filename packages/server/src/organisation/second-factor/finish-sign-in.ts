import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeOrigin, change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { signIn } from '../users/sign-in.ts'
import { attemptChallenge, type ChallengeRow, endChallenge } from './challenge.ts'
import { checkProof, type GivenProof } from './check-proof.ts'
import type { Site } from './site.ts'

interface Finishing {
  token: string
  proof: GivenProof
  site: Site
  userAgent: string
}

interface Signed {
  user: UserRow
  session: { token: string; maxAge: number }
}

/** Starts the session of a challenge that is proven. Throws `unauthenticated`, `link-expired` or `rate-limited`. */
export async function finishSignIn(
  db: Db,
  origin: ChangeOrigin,
  { token, proof, site, userAgent }: Finishing,
): Promise<Signed> {
  const challenge = await attemptChallenge(db, token, {
    ...{ purpose: 'sign-in', now: origin.now },
    isCode: 'totp' in proof,
  })
  const { user, method } = await prove(db, origin, { challenge, proof, site })
  const actor = { kind: 'user', id: user.id, name: user.name } as const
  const session = await signIn(
    db,
    { ...origin, actor },
    { user, userAgent, by: method, confirmedAt: origin.now },
  )
  return { user, session }
}

const prove = change(
  async ({ db, now }, given: Omit<Finishing, 'token' | 'userAgent'> & { challenge: ChallengeRow }) => {
    const proven = await checkProof(db, { ...given, now })
    await endChallenge(db, given.challenge.id)
    return { reply: proven, changes: [] }
  },
)
