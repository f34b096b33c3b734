import type { PasskeyRegistration } from '@telltale/core/contract/second-factor'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import type { Person } from '../../access/caller.ts'
import { type ChangeOrigin, change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { passkeys } from '../../platform/engines/postgres/second-factor-schema.ts'
import { noteAddedFactor, noteRemovedFactor } from './added-factor.ts'
import { changeOf, lockAccount, requirePassword } from './authenticator-app.ts'
import { attemptChallenge, type ChallengeRow, endChallenge, storeChallenge } from './challenge.ts'
import { findPasskeys, registrationOptions, verifyRegistration } from './passkeys.ts'
import type { Site } from './site.ts'

interface Starting {
  caller: Person
  password: string
  site: Site
}

export async function startPasskey(db: Db, { now }: ChangeOrigin, { caller, password, site }: Starting) {
  const { user } = caller
  await requirePassword(user, password)
  const options = await registrationOptions(site, { user, known: await findPasskeys(db, user.id) })
  const { token } = await storeChallenge(db, {
    ...{ userId: user.id, purpose: 'registration', now },
    passkeyChallenge: options.challenge,
  })
  return { token, options }
}

interface Adding {
  caller: Person
  token: string
  name: string
  passkey: Static<typeof PasskeyRegistration>
  site: Site
}

export async function addPasskey(db: Db, origin: ChangeOrigin, { token, ...given }: Adding) {
  const challenge = await attemptChallenge(db, token, {
    ...{ purpose: 'registration', now: origin.now },
    isCode: false,
  })
  return add(db, origin, { challenge, ...given })
}

const add = change(async ({ db, now }, given: Omit<Adding, 'token'> & { challenge: ChallengeRow }) => {
  const { caller, challenge, name, passkey, site } = given
  if (challenge.userId !== caller.user.id) throw problem('link-expired')
  const user = await lockAccount(db, caller)
  const known = await findPasskeys(db, user.id)
  if (known.length >= limits.passkeysPerUser)
    throw problem('quota-exceeded', `An account has at most ${limits.passkeysPerUser} passkeys.`)
  const credential = await verifyRegistration(passkey, { site, challenge: challenge.passkeyChallenge })
  await endChallenge(db, challenge.id)
  const row = {
    id: newId(),
    userId: user.id,
    name,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: passkey.response.transports ?? [],
    createdAt: now,
  }
  const added = await db.insert(passkeys).values(row).onConflictDoNothing().returning()
  if (added.length === 0) throw problem('already-exists', 'This passkey is already registered.')
  const codes = await noteAddedFactor(db, { user, sessionId: caller.sessionId, now })
  const reply = {
    passkey: { id: row.id, name, createdAt: now.toISOString(), lastUsedAt: null },
    recoveryCodes: codes,
  }
  return { reply, changes: [{ ...changeOf(user, 'add-passkey'), after: { passkey: name } }] }
})

export const removePasskey = change(async ({ db }, { caller, id }: { caller: Person; id: string }) => {
  const user = await lockAccount(db, caller)
  const [removed] = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, user.id)))
    .returning()
  if (removed === undefined) throw problem('not-found')
  await noteRemovedFactor(db, user)
  return {
    reply: null,
    changes: [{ ...changeOf(user, 'remove-passkey'), before: { passkey: removed.name } }],
  }
})
