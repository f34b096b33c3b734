// Signatures of targeting keys. The server of an application makes one with a secret of the environment, and the page
// sends it with the targeting key: `v1.<expiry>.<code>`, where the code is
// base64url(HMAC-SHA256(secret, `v1.<expiry>.<targeting key>`)), and the expiry seconds since 1970 or empty. The HMAC
// itself needs a platform, so callers compute it.

import type { Context } from './evaluation/context.ts'

/** Begins every signing secret, so that secret scanners find leaked ones. */
export const signingSecretPrefix = 'tsk_'

export const signatureVerdicts = ['signed', 'unsigned', 'invalid', 'expired'] as const
export type SignatureVerdict = (typeof signatureVerdicts)[number]

const version = 'v1'

/** `expiresAt`: seconds since 1970, as they are written in the signature; empty: never. */
export function signedText(targetingKey: string, expiresAt: number | string): string {
  return `${version}.${expiresAt}.${targetingKey}`
}

export function signatureOf(code: string, expiresAt: number | ''): string {
  return `${version}.${expiresAt}.${code}`
}

/** 256 bits in base64url. */
const format = /^v1\.(\d{0,12})\.([\w-]{43})$/

export interface Claim {
  targetingKey: string
  /** As sent, by anyone. */
  signature: unknown
}

/** Whether one of the secrets gives this code for this text. Compares in constant time. */
type HasCode = (text: string, code: string) => boolean

/** `now` in milliseconds since 1970. A wrong signature is invalid, whatever its expiry. */
export function judgeSignature(
  { targetingKey, signature }: Claim,
  hasCode: HasCode,
  now: number,
): SignatureVerdict {
  if (signature === undefined || signature === null || signature === '') return 'unsigned'
  const [, expiry = '', code = ''] = (typeof signature === 'string' && format.exec(signature)) || []
  if (code === '' || !hasCode(signedText(targetingKey, expiry), code)) return 'invalid'
  return expiry !== '' && Number(expiry) * 1_000 <= now ? 'expired' : 'signed'
}

/**
 * The ids that the browser client generates: four numbers of 32 bits. They identify no user, so they need no
 * signature, and applications must not use this form for their users.
 */
const anonymousId = /^\d{1,10}(?:-\d{1,10}){3}$/

export function isAnonymousId(targetingKey: string): boolean {
  return anonymousId.test(targetingKey)
}

/** The user that a context names; undefined without one. */
export function claimIn({ targetingKey: given, signature }: Context): Claim | undefined {
  const targetingKey = typeof given === 'number' ? String(given) : given
  if (typeof targetingKey !== 'string' || targetingKey === '' || isAnonymousId(targetingKey)) return undefined
  return { targetingKey, signature }
}

/** Without its signature, which is valid for a time and must not be stored. An attribute with another form is kept. */
export function withoutSignature(context: Context): Context {
  const { signature } = context
  if (typeof signature !== 'string' || !signature.startsWith(`${version}.`)) return context
  const { signature: _signature, ...rest } = context
  return rest
}
