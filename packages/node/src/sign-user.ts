// Signs the targeting key of a user for the browser client, so that a page cannot name another user.

import { createHmac } from 'node:crypto'
import { signatureOf, signedText } from '@telltale/core/signed-user'

export interface SignOptions {
  /** Seconds until the signature expires. Default: never. */
  expiresIn?: number | undefined
  /** Milliseconds since 1970. Default: the clock. */
  now?: number | undefined
}

/** Seconds. The server reads an expiry of at most 12 digits. */
const longest = 1e11

/** `secret`: a signing secret of the environment. The page sends the result as `signature` of its context. */
export function signUser(
  secret: string,
  targetingKey: string,
  { expiresIn, now = Date.now() }: SignOptions = {},
): string {
  if (secret === '' || targetingKey === '')
    throw new TypeError('signUser needs a secret and a targeting key.')
  if (expiresIn !== undefined && !(expiresIn > 0 && expiresIn <= longest))
    throw new RangeError(`expiresIn must be above 0 and at most ${longest} seconds.`)
  const expiresAt = expiresIn === undefined ? '' : Math.floor(now / 1_000 + expiresIn)
  const code = createHmac('sha256', secret).update(signedText(targetingKey, expiresAt)).digest('base64url')
  return signatureOf(code, expiresAt)
}
