import type { Calls } from '@telltale/core/contract/calls'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Handlers } from '../../access/route.ts'
import { findSessions } from '../../access/sessions.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Services } from '../../platform/services.ts'
import { noteInAudit } from '../audit/note-refusal.ts'
import { findOwnKey } from '../installation/find-own-key.ts'
import { listVisibleProjects } from '../projects/list-projects.ts'
import { challengeUser } from '../second-factor/challenge.ts'
import { siteOf } from '../second-factor/site.ts'
import { findSignOutUrl } from '../sign-in-providers/sign-out-url.ts'
import { changePassword } from '../users/change-password.ts'
import { checkPassword } from '../users/check-password.ts'
import { endUserSessions } from '../users/end-user-sessions.ts'
import { toLoginSession } from '../users/login-session.ts'
import { issuePasswordReset, resetPassword } from '../users/password-reset.ts'
import { findUserByEmail } from '../users/queries.ts'
import { signIn } from '../users/sign-in.ts'
import { mayResetPassword } from '../users/single-sign-on.ts'
import { toUser } from '../users/user.ts'
import { describeGrant } from './describe-grant.ts'
import { endSession, signOut } from './end-session.ts'
import { updateAccount } from './update-account.ts'

export const accountRoutes: Handlers<Calls['accounts'], Services> = {
  signIn: async ({ db }, { body, origin, ownOrigin, userAgent, cookie }) => {
    const user = await checkPassword(db, body)
    if (user.secondFactor) {
      const site = siteOf(ownOrigin)
      const challenge = await challengeUser(db, user, { purpose: 'sign-in', site, now: origin.now })
      return { user: null, challenge }
    }
    const actor = { kind: 'user', id: user.id, name: user.name } as const
    cookie.set(await signIn(db, { ...origin, actor }, { user, userAgent }))
    return { user: toUser({ ...user, lastSeenAt: origin.now }), challenge: null }
  },

  signOut: async (services, { caller, origin, ownOrigin, cookie }) => {
    const { user, sessionId, provider } = caller
    const site = (await publicOrigin(services)) ?? ownOrigin
    const providerUrl = provider === null ? null : await findSignOutUrl(services, { sessionId, site })
    await signOut(services.db, origin, { user, sessionId })
    cookie.clear()
    return { providerUrl }
  },

  getAccount: async ({ db, config, telemetry }, { caller }) => {
    const ownKey = config.ownProject === 'on' ? await findOwnKey(db) : null
    const visible = await listVisibleProjects(db, caller)
    const token = caller.kind === 'token' ? caller.token : undefined
    const only = token?.projectId ? visible.find(({ project }) => project.id === token.projectId) : undefined
    return {
      user: toUser(caller.user),
      token: token
        ? { id: token.id, name: token.name, role: token.role, project: only?.project.key ?? null }
        : null,
      projects: visible.map(({ project, role, grant }) => ({
        key: project.key,
        name: project.name,
        role,
        ...describeGrant(grant),
        own: project.own,
      })),
      secondFactorMissing:
        caller.kind === 'person' && caller.secondFactorRequired && !caller.user.secondFactor,
      provider: caller.kind === 'person' ? caller.provider : null,
      mentionMail: caller.user.mentionMail,
      ownKey,
      ownMonitoring: ownKey !== null && isUsable(telemetry.state().state),
    }
  },

  updateAccount: ({ db }, { caller, origin, body }) =>
    updateAccount(db, origin, { userId: caller.user.id, ...body }),

  changePassword: ({ db }, { caller, origin, body }) =>
    changePassword(db, origin, { user: caller.user, sessionId: caller.sessionId, ...body }),

  listSessions: async ({ db }, { caller, origin }) => {
    const sessions = await findSessions(db, caller.user.id, origin.now)
    return { items: sessions.map((session) => toLoginSession(session, caller.sessionId)) }
  },

  endSession: ({ db }, { caller, origin, params }) =>
    endSession(db, origin, { user: caller.user, sessionId: params.session }),

  endOtherSessions: ({ db }, { caller, origin }) =>
    endUserSessions(db, origin, { user: caller.user, keptId: caller.sessionId }),

  requestPasswordReset: async (services, { body, origin }) => {
    const { mail, db } = services
    const site = await publicOrigin(services)
    const canMail = mail.configured && site !== undefined
    // Anything that depends on whether the address is known happens after the response, so that its timing
    // reveals nothing.
    services.background(answerRequest(), 'sending a password link')
    return { mail: canMail }

    async function answerRequest() {
      const user = await findUserByEmail(db, body.email)
      if (!user || user.disabledAt || !(await mayResetPassword(db, user))) return

      const entity = { kind: 'user', id: user.id, name: user.email }
      await noteInAudit(db, origin, [{ action: 'user.request-password-reset', entity }])
      if (!canMail) return
      const link = await issuePasswordReset(db, origin, { user })
      await mail.send({
        to: user.email,
        subject: 'Set a new password for Telltale',
        text: `Someone, probably you, requested a new password.\n\n${site}${link.path}\n\nThe link works once, until ${link.expiresAt.toUTCString()}. If it was not you, ignore this e-mail.\n`,
      })
    }
  },

  resetPassword: ({ db }, { body, origin }) => resetPassword(db, origin, body),
}
