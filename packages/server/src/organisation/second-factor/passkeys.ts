// Passkeys (Web Authentication Level 3). The library is loaded when the first one is used.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { PasskeyAssertion, PasskeyRegistration } from '@telltale/core/contract/second-factor'
import { problem } from '@telltale/core/errors'
import { asc, eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { passkeys } from '../../platform/engines/postgres/second-factor-schema.ts'
import type { Site } from './site.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

const library = () => import('@simplewebauthn/server')

export function findPasskeys(db: Queryable, userId: string): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt))
}

const descriptorOf = ({ credentialId, transports }: PasskeyRow) => ({ id: credentialId, transports })

/** `known`: the passkeys of the account; without any, the browser offers those that it has for the site. */
export async function assertionOptions(
  site: Site,
  known: readonly PasskeyRow[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: site.host,
    // Beside a password, having the key is enough; alone, the device must also check who uses it.
    userVerification: known.length > 0 ? 'preferred' : 'required',
    ...(known.length > 0 && { allowCredentials: known.map(descriptorOf) }),
  })
}

export async function registrationOptions(
  site: Site,
  { user, known }: { user: UserRow; known: readonly PasskeyRow[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Telltale',
    rpID: site.host,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: known.map(descriptorOf),
  })
}

interface Expected {
  site: Site
  challenge: string
}

/** Throws `invalid-request` unless the browser created the credential for this challenge and site. */
export async function verifyRegistration(
  given: Static<typeof PasskeyRegistration>,
  { site, challenge }: Expected,
): Promise<WebAuthnCredential> {
  const { verifyRegistrationResponse } = await library()
  // The schema has what the library reads; its type names more that is optional.
  const response = given as RegistrationResponseJSON
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: false,
  }).catch((error: unknown) => {
    throw refusal('/passkey', error)
  })
  if (!checked.verified) throw refusal('/passkey', undefined)
  return checked.registrationInfo.credential
}

/** The passkey that signed the challenge, undefined unless one of this site did. `alone`: without a password. */
export async function verifyAssertion(
  db: Queryable,
  given: Static<typeof PasskeyAssertion>,
  { site, challenge, alone, now }: Expected & { alone: boolean; now: Date },
): Promise<PasskeyRow | undefined> {
  const [passkey] = await db.select().from(passkeys).where(eq(passkeys.credentialId, given.id)).for('update')
  if (passkey === undefined) return undefined
  const { verifyAuthenticationResponse } = await library()
  const response = given as AuthenticationResponseJSON
  const { credentialId: id, publicKey, counter } = passkey
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: alone,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { newCounter } = checked.authenticationInfo
  await db.update(passkeys).set({ counter: newCounter, lastUsedAt: now }).where(eq(passkeys.id, passkey.id))
  return passkey
}

function refusal(pointer: string, error: unknown) {
  const message = error instanceof Error ? error.message : 'is not valid for this site'
  return problem('invalid-request', { errors: [{ pointer, message }] })
}
