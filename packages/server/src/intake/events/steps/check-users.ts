// Users that a browser names without a valid signature, in environments that require one. Their events are kept and
// count for an anonymous user, with an attribute that says why: dropping them would hide errors, and keeping the name
// would let any page write the history of another user.

import { hash } from 'node:crypto'
import type { EventContext, FlagRead } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { type Claim, claimIn, isAnonymousId, type SignatureVerdict } from '@telltale/core/signed-user'
import type { KnownEnvironment } from '../../../organisation/keys/known-keys.ts'
import type { SignedUserCounts } from '../../../organisation/signed-users/count-signed-users.ts'
import { judgeUser } from '../../../organisation/signed-users/judge-user.ts'

export interface UserCheck {
  isRequired: boolean
  judge(claim: Claim): SignatureVerdict
}

/** The attribute of events whose user was left out. */
export const unsignedAttribute = 'telltale.user'

interface CheckedBatch {
  environment: Pick<KnownEnvironment, 'id' | 'signedUsers'>
  receivedAt: number
  /** Milliseconds for which an edge kept it. */
  waited?: number
  /** Sent with a server key, which may name users. */
  isServer: boolean
  counts: SignedUserCounts
}

/** For one batch: each user is checked and counted once. Undefined when nothing is checked. */
export function userCheckOf(batch: CheckedBatch): UserCheck | undefined {
  const { environment, receivedAt, waited = 0, isServer, counts } = batch
  const { signedUsers } = environment
  if (signedUsers === undefined || isServer) return undefined
  const judged = new Map<string, SignatureVerdict>()
  return {
    isRequired: signedUsers.mode === 'require',
    judge(claim) {
      const name = JSON.stringify([claim.targetingKey, claim.signature])
      const known = judged.get(name)
      if (known !== undefined) return known
      // Events may wait for days in an offline browser, and a signature that has expired still named its user.
      const verdict = judgeUser(claim, signedUsers.secrets, receivedAt - waited - limits.eventAgeMaximum)
      counts.count(environment.id, 'telemetry', verdict)
      judged.set(name, verdict)
      return verdict
    },
  }
}

/** The user, or an empty text when the sender may not name them. */
export function allowedUser(userKey: string, check: UserCheck | undefined): string {
  if (check === undefined) return userKey
  return verdictOf(check, { targetingKey: userKey }) === 'signed' || !check.isRequired ? userKey : ''
}

/** The context with the users it may name. */
export function checkUsers(given: EventContext, check: UserCheck | undefined): EventContext {
  if (check === undefined) return given
  const { userKey, sessionUserKey, anonymousId = '', signature, sessionSignature } = given
  const user = verdictOf(check, { targetingKey: userKey, signature })
  const sessionUser =
    sessionUserKey === userKey && sessionSignature === undefined
      ? user
      : verdictOf(check, { targetingKey: sessionUserKey, signature: sessionSignature })
  if (!check.isRequired) return given
  const names = new Set([user === 'signed' && userKey, sessionUser === 'signed' && sessionUserKey])
  const refused = [user, sessionUser].find((verdict) => verdict !== 'signed')
  return {
    ...given,
    ...(user === 'signed' ? {} : { userKey: '' }),
    ...(sessionUser === 'signed' ? {} : { sessionUserKey: '' }),
    // Otherwise the name of a user could be sent as an anonymous id.
    ...(anonymousId === '' || isAnonymousId(anonymousId) ? {} : { anonymousId: hash('sha256', anonymousId) }),
    ...(given.reads === undefined ? {} : { reads: given.reads.map((read) => readOf(read, names)) }),
    ...(refused === undefined ? {} : { attributes: { ...given.attributes, [unsignedAttribute]: refused } }),
  }
}

/** Without its arm if it would count for a user that the sender may not name. */
function readOf(read: FlagRead, names: ReadonlySet<unknown>): FlagRead {
  const { flag, variation, by, unit = '' } = read
  const isOwn = by !== 'targetingKey' || names.has(unit) || isAnonymousId(unit)
  return isOwn ? read : { flag, variation }
}

/** Nothing that needs a signature counts as signed. */
function verdictOf(check: UserCheck, named: Record<string, unknown>): SignatureVerdict {
  const claim = claimIn(named)
  return claim === undefined ? 'signed' : check.judge(claim)
}
