// Whether a browser may evaluate for the user that it names.

import { type Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Claim, SignatureVerdict } from '@telltale/core/signed-user'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { judgeUser } from '../../organisation/signed-users/judge-user.ts'
import type { Delivery } from './delivery.ts'

/** Keys of servers may name any user; only a client key is checked. */
export function checksUsers({ kind, environment }: KnownKey): boolean {
  return kind === 'client' && environment.signedUsers !== undefined
}

/** Counts the request, and returns why it is refused, if it is. */
export function checkUser(
  key: KnownKey,
  claim: Claim | undefined,
  { signedUserCounts, now }: Pick<Delivery, 'signedUserCounts' | 'now'>,
): Problem | undefined {
  const { id, signedUsers } = key.environment
  if (!checksUsers(key) || signedUsers === undefined || claim === undefined) return undefined
  const verdict = judgeUser(claim, signedUsers.secrets, now() - limits.signatureClockSkew)
  signedUserCounts.count(id, 'flags', verdict)
  if (verdict === 'signed' || signedUsers.mode === 'count') return undefined
  return problem('user-not-signed', details[verdict])
}

const details: Record<Exclude<SignatureVerdict, 'signed'>, string> = {
  unsigned: 'The context has a targetingKey and no signature.',
  invalid: 'The signature is invalid for this targetingKey.',
  expired: 'The signature has expired.',
}
