import { Type } from 'typebox'
import { call } from './call.ts'
import { LoginSession } from './login-session.ts'
import {
  Email,
  GivenPassword,
  Id,
  Key,
  Name,
  Nothing,
  Nullable,
  Password,
  Permission,
  RoleKey,
  Secret,
  Strict,
} from './parameters.ts'
import { Challenge } from './second-factor.ts'
import { User } from './users.ts'

export const signIn = call({
  method: 'POST',
  path: '/api/v1/sign-in',
  summary:
    'Start a session; the response sets its cookie. An account with a second factor gets a challenge instead, for `finishSignIn`.',
  permission: 'anyone',
  guessable: 'failures',
  body: Strict({ email: Email, password: GivenPassword }),
  reply: Type.Object({
    user: Nullable(User),
    challenge: Nullable(Challenge),
  }),
  errors: ['unauthenticated', 'single-sign-on-required'],
})

export const signOut = call({
  method: 'POST',
  path: '/api/v1/sign-out',
  summary: 'End the session of this cookie.',
  permission: 'person',
  reply: Type.Object({
    providerUrl: Nullable(
      Type.String({ description: 'Where the browser signs out at the provider that began the session.' }),
    ),
  }),
})

export const getAccount = call({
  method: 'GET',
  path: '/api/v1/account',
  summary: 'Show who is signed in, and the projects and roles that follow.',
  permission: 'signed-in',
  reply: Type.Object({
    user: User,
    /** Set if an API token made the request: its restrictions. */
    token: Nullable(Type.Object({ id: Id, name: Name, role: RoleKey, project: Nullable(Key) })),
    projects: Type.Array(
      Type.Object({
        key: Key,
        name: Name,
        role: RoleKey,
        permissions: Type.Array(Permission, { description: 'What you may do in the project.' }),
        environments: Type.Array(Type.Object({ env: Key, permissions: Type.Array(Permission) }), {
          description: 'Environments where your role is another one, and what you may do there.',
        }),
        own: Type.Boolean(),
      }),
    ),
    secondFactorMissing: Type.Boolean({
      description: 'Whether the installation requires a second factor that the account does not have.',
    }),
    provider: Nullable(
      Type.Object(
        { key: Key, buttonText: Name, reauthenticates: Type.Boolean() },
        { description: 'The sign-in provider that began this session.' },
      ),
    ),
    mentionMail: Type.Boolean({ description: 'Whether comments that mention you are mailed to you.' }),
    ownKey: Nullable(
      Type.String({ description: 'The client key with which the console asks for its own flags.' }),
    ),
    ownMonitoring: Type.Boolean({
      description: 'Whether the console sends its own telemetry with that key.',
    }),
  }),
})

export const updateAccount = call({
  method: 'PATCH',
  path: '/api/v1/account',
  summary: 'Change your name, e-mail or notifications. A new e-mail requires the password.',
  permission: 'person',
  guessable: 'failures',
  body: Strict({
    name: Type.Optional(Name),
    email: Type.Optional(Email),
    password: Type.Optional(GivenPassword),
    mentionMail: Type.Optional(Type.Boolean()),
  }),
  reply: User,
  errors: ['already-exists', 'managed'],
})

export const changePassword = call({
  method: 'PUT',
  path: '/api/v1/account/password',
  summary: 'Set a new password. Every other session ends.',
  permission: 'person',
  guessable: 'failures',
  status: 204,
  body: Strict({ current: GivenPassword, next: Password }),
  reply: Nothing,
  errors: ['managed'],
})

export const listSessions = call({
  method: 'GET',
  path: '/api/v1/account/sessions',
  summary: 'List your sessions, last used first.',
  permission: 'person',
  reply: Type.Object({ items: Type.Array(LoginSession) }),
})

export const endSession = call({
  method: 'DELETE',
  path: '/api/v1/account/sessions/:session',
  summary: 'End one of your sessions.',
  permission: 'person',
  status: 204,
  reply: Nothing,
})

export const endOtherSessions = call({
  method: 'DELETE',
  path: '/api/v1/account/sessions',
  summary: 'End all of your sessions except this one.',
  permission: 'person',
  reply: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
})

export const requestPasswordReset = call({
  method: 'POST',
  path: '/api/v1/password-reset',
  summary: 'Request a link by e-mail. The response is the same whether or not the address exists.',
  permission: 'anyone',
  guessable: 'always',
  status: 202,
  body: Strict({ email: Email }),
  reply: Type.Object({
    /** Whether this installation can send mail; if not, an owner issues the link. */
    mail: Type.Boolean(),
  }),
})

export const resetPassword = call({
  method: 'PUT',
  path: '/api/v1/password-reset',
  summary: 'Set a new password with the token of a link. Every session ends.',
  permission: 'anyone',
  guessable: 'failures',
  status: 204,
  body: Strict({ token: Secret, password: Password }),
  reply: Nothing,
  errors: ['link-expired', 'managed'],
})

export const accountCalls = {
  signIn,
  signOut,
  getAccount,
  updateAccount,
  changePassword,
  listSessions,
  endSession,
  endOtherSessions,
  requestPasswordReset,
  resetPassword,
}
