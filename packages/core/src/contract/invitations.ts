import { Type } from 'typebox'
import { call } from './call.ts'
import {
  Email,
  GivenPassword,
  Id,
  Instant,
  Key,
  Name,
  Nullable,
  Page,
  pageQuery,
  RoleKey,
  Secret,
  Strict,
} from './parameters.ts'
import { User } from './users.ts'

export const Invitation = Type.Object({
  id: Id,
  email: Email,
  role: RoleKey,
  state: Type.Enum(['pending', 'accepted', 'expired', 'revoked']),
  createdAt: Instant,
  expiresAt: Instant,
})

/** An invitation with the link to send. */
const IssuedInvitation = Type.Object({
  invitation: Invitation,
  url: Type.String({ description: 'The link. Shown only once; you can issue a new one.' }),
  mailed: Type.Boolean({
    description: 'Whether the link is also sent by e-mail; needs a mail server and the public URL.',
  }),
})

export const listInvitations = call({
  method: 'GET',
  path: '/api/v1/projects/:project/invitations',
  summary: 'List the invitations to a project, newest first.',
  permission: 'members.manage',
  query: Strict(pageQuery),
  reply: Page(Invitation),
})

export const createInvitation = call({
  method: 'POST',
  path: '/api/v1/projects/:project/invitations',
  summary: 'Invite a member by e-mail with a role.',
  permission: 'members.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ email: Email, role: RoleKey }),
  reply: IssuedInvitation,
  errors: ['already-exists'],
})

export const renewInvitation = call({
  method: 'POST',
  path: '/api/v1/projects/:project/invitations/:invitation/renew',
  summary: 'Issue a new link for an invitation; the old one stops working.',
  permission: 'members.manage',
  stepUp: true,
  status: 201,
  reply: IssuedInvitation,
  errors: ['in-use', 'already-exists', 'link-expired'],
})

export const revokeInvitation = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/invitations/:invitation',
  summary: 'Revoke a pending invitation. Revoking it again has no effect.',
  permission: 'members.manage',
  reply: Invitation,
  errors: ['in-use'],
})

export const viewInvitation = call({
  method: 'POST',
  path: '/api/v1/invitation/view',
  summary: 'Show the invitation of a link.',
  permission: 'anyone',
  guessable: 'failures',
  body: Strict({ token: Secret }),
  reply: Type.Object({
    email: Email,
    role: RoleKey,
    project: Type.Object({ key: Key, name: Name }),
    invitedBy: Nullable(Name),
    expiresAt: Instant,
    /** If the address has an account, its password is required; otherwise a new one. */
    hasAccount: Type.Boolean(),
  }),
  errors: ['link-expired'],
})

export const acceptInvitation = call({
  method: 'POST',
  path: '/api/v1/invitation/accept',
  summary:
    'Accept an invitation: with a name and a new password, or with the password of the account. Signs in.',
  permission: 'anyone',
  guessable: 'failures',
  status: 201,
  body: Strict({
    token: Secret,
    /** Required for users without an account. */
    name: Type.Optional(Name),
    /** The account's password. Users without an account choose one that is hard to guess. */
    password: GivenPassword,
  }),
  reply: Type.Object({ user: User, project: Key }),
  errors: ['link-expired', 'unauthenticated', 'in-use', 'single-sign-on-required'],
})

export const invitationCalls = {
  listInvitations,
  createInvitation,
  renewInvitation,
  revokeInvitation,
  viewInvitation,
  acceptInvitation,
}
