import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { Handlers } from '../../access/route.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Services } from '../../platform/services.ts'
import { toUser } from '../users/user.ts'
import { addPasskey, removePasskey, startPasskey } from './account-passkeys.ts'
import { changeOf, confirmTotp, removeTotp, startTotp } from './authenticator-app.ts'
import { challengeAnyone, challengeUser } from './challenge.ts'
import { confirmSession } from './confirm-session.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { findPasskeys } from './passkeys.ts'
import { countRecoveryCodes, issueRecoveryCodes } from './recovery-codes.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { siteOf, takesPasskeys } from './site.ts'

export const secondFactorRoutes: Handlers<Calls['second-factor'], Services> = {
  startPasskeySignIn: ({ db }, { origin, ownOrigin }) =>
    challengeAnyone(db, { site: siteOf(ownOrigin), now: origin.now }),

  finishSignIn: async ({ db }, { origin, body, ownOrigin, userAgent, cookie }) => {
    const given = { ...body, site: siteOf(ownOrigin), userAgent }
    const { user, session } = await finishSignIn(db, origin, given)
    cookie.set(session)
    return { user: toUser({ ...user, lastSeenAt: origin.now }) }
  },

  getSecondFactor: async ({ db }, { caller, ownOrigin }) => {
    const { user, secondFactorRequired } = caller
    const [passkeys, recoveryCodesLeft] = await Promise.all([
      findPasskeys(db, user.id),
      countRecoveryCodes(db, user.id),
    ])
    return {
      totpSince: user.totpConfirmedAt?.toISOString() ?? null,
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        ...{ id, name, createdAt: createdAt.toISOString() },
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
      recoveryCodesLeft,
      required: secondFactorRequired,
      passkeysPossible: takesPasskeys(siteOf(ownOrigin)),
    }
  },

  startTotp: ({ db }, { origin, caller, body }) => startTotp(db, origin, { caller, ...body }),
  confirmTotp: ({ db }, { origin, caller, body }) => confirmTotp(db, origin, { caller, ...body }),
  removeTotp: ({ db }, { origin, caller }) => removeTotp(db, origin, { caller }),

  startPasskey: ({ db }, { origin, caller, body, ownOrigin }) =>
    startPasskey(db, origin, { caller, ...body, site: siteOf(ownOrigin) }),
  addPasskey: ({ db }, { origin, caller, body, ownOrigin }) =>
    addPasskey(db, origin, { caller, ...body, site: siteOf(ownOrigin) }),
  removePasskey: ({ db }, { origin, caller, params }) =>
    removePasskey(db, origin, { caller, id: params.passkey }),

  renewRecoveryCodes: ({ db }, { origin, caller }) => renewRecoveryCodes(db, origin, { user: caller.user }),

  startConfirmation: async ({ db }, { origin, caller, ownOrigin }) => {
    if (!caller.user.secondFactor) throw problem('not-found', 'The account has no second factor.')
    const site = siteOf(ownOrigin)
    return challengeUser(db, caller.user, { purpose: 'confirmation', site, now: origin.now })
  },
  confirmSession: ({ db }, { origin, caller, body, ownOrigin }) =>
    confirmSession(db, origin, { caller, ...body, site: siteOf(ownOrigin) }),

  resetSecondFactor: ({ db }, { origin, params }) => resetSecondFactor(db, origin, { id: params.user }),
}

const renewRecoveryCodes = change(
  async ({ db }, { user }: { user: Parameters<typeof changeOf>[0] & { secondFactor: boolean } }) => {
    if (!user.secondFactor) throw problem('not-found', 'The account has no second factor.')
    const recoveryCodes = await issueRecoveryCodes(db, user.id)
    return { reply: { recoveryCodes }, changes: [changeOf(user, 'renew-recovery-codes')] }
  },
)
