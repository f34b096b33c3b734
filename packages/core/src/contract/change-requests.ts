// Configuration changes that need a second person's approval.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { changeRequestStates } from '../states/change-request.ts'
import { call } from './call.ts'
import { type FlagConfigDraft, GivenConfig } from './flag-config.ts'
import {
  EndsEvidenceOf,
  Id,
  Instant,
  Key,
  Nullable,
  Page,
  pageQuery,
  Reason,
  Strict,
  Version,
} from './parameters.ts'

export const ChangeRequestState = Type.Enum(changeRequestStates)

/** An account with the name it had then; the id is null if the account was deleted. */
export const Author = Type.Object({ id: Nullable(Id), name: Type.String() })

const Approval = Type.Object({
  ...Author.properties,
  version: Type.Integer({ description: 'The version of the proposal that was approved.' }),
  at: Instant,
  asOwner: Type.Boolean({
    description: 'Whether an owner of the flag gave it, or a member of an owning team.',
  }),
})

/** Who approved it, and what is missing. */
const approvalMembers = {
  approvals: Type.Array(Approval, { description: 'Of the proposal as it is now; earlier ones have lapsed.' }),
  missing: Type.Object(
    {
      approvals: Type.Integer(),
      owner: Type.Boolean({ description: 'One of them must be by an owner of the flag.' }),
    },
    { description: 'What is missing until it can be applied.' },
  ),
}

const owningMembers = {
  owners: Type.Array(Id, { description: 'The accounts that own the flag.' }),
  ownerTeams: Type.Array(Id, { description: 'The teams that own the flag.' }),
  needed: Type.Object({
    approvals: Type.Integer(),
    owner: Type.Boolean({ description: 'Whether an owner of the flag must approve.' }),
  }),
}

export const Approvals = Type.Object({ ...approvalMembers, ...owningMembers })

export type Approvals = Static<typeof Approvals>

const members = {
  id: Id,
  env: Key,
  flag: Key,
  state: ChangeRequestState,
  baseVersion: Type.Integer({ description: 'The version of the configuration it is based on.' }),
  reason: Nullable(Type.String()),
  scheduledFor: Type.Unsafe<string | null>({
    ...Nullable(Instant),
    description: 'Once approved, it is applied at this instant; null: by hand.',
  }),
  author: Author,
  reviewers: Type.Array(Id, { description: 'Requested reviewers. Anyone with the permission can approve.' }),
  ...approvalMembers,
  proposalVersion: Type.Integer({ description: 'The version in which the proposal last changed.' }),
  appliedVersion: Nullable(Type.Integer()),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
}

export const ChangeRequest = Type.Object(members)

export type ChangeRequest = Static<typeof ChangeRequest>

/** The reply of a call that opened a change request instead of applying the change. */
export const OpenedChangeRequest = Type.Object({
  changeRequest: ChangeRequest,
  address: Type.String({ description: 'Its URL, as in the `Location` header.' }),
})

export type OpenedChangeRequest = Static<typeof OpenedChangeRequest>

/** Configurations in a reply were validated when they were proposed. */
const ShownConfig = Type.Unsafe<FlagConfigDraft>(Type.Object({}, { additionalProperties: true }))

const Difference = Type.Object({
  pointer: Type.String({ description: 'JSON pointer (RFC 6901) into the configuration.' }),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
})

const Decision = Type.Object({
  at: Instant,
  action: Type.Enum([
    'open',
    'update',
    'approve',
    'decline',
    'withdraw',
    'apply',
    'conflict',
    'rebase',
    'miss',
  ]),
  actor: Type.Object({ kind: Type.String(), id: Nullable(Type.String()), name: Type.String() }),
  comment: Nullable(Type.String()),
  version: Nullable(
    Type.Integer({ description: 'The version of the proposal it was about; null in old entries.' }),
  ),
})

export const DescribedChangeRequest = Type.Object({
  ...members,
  proposed: ShownConfig,
  base: ShownConfig,
  current: Type.Object({ version: Version, config: ShownConfig }),
  diff: Type.Array(Difference, { description: 'From the base to what is proposed.' }),
  overlaps: Type.Array(Type.String(), {
    description: 'In conflict: what both sides changed. Empty: a rebase needs no new configuration.',
  }),
  ...owningMembers,
  decisions: Type.Array(Decision, { description: 'Its history, oldest first.' }),
})

export type DescribedChangeRequest = Static<typeof DescribedChangeRequest>

const ScheduledFor = Type.String({ format: 'date-time', description: 'In the future, a year ahead at most.' })
const Reviewers = Type.Array(Id, { maxItems: limits.reviewersPerChangeRequest, uniqueItems: true })

const listPath = '/api/v1/projects/:project/change-requests'
const itemPath = '/api/v1/projects/:project/change-requests/:changeRequest'
const configErrors = ['invalid-rule', 'invalid-weights', 'prerequisite-cycle', 'flag-not-found'] as const
const Comment = Strict({ comment: Type.Optional(Reason) })

export const listChangeRequests = call({
  method: 'GET',
  path: listPath,
  summary: 'List the change requests of a project, newest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    state: Type.Optional(ChangeRequestState),
    env: Type.Optional(Key),
    flag: Type.Optional(Key),
    author: Type.Optional(Id),
  }),
  reply: Page(ChangeRequest),
})

export const openChangeRequest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/change-requests',
  summary: 'Propose a flag configuration in an environment for approval.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict({
    config: GivenConfig,
    baseVersion: Type.Integer({ minimum: 1, description: 'The version the proposal is based on.' }),
    reason: Type.Optional(Reason),
    reviewers: Type.Optional(Reviewers),
    scheduledFor: Type.Optional(ScheduledFor),
  }),
  reply: DescribedChangeRequest,
  errors: ['version-conflict', 'in-use', ...configErrors],
})

export const getChangeRequest = call({
  method: 'GET',
  path: itemPath,
  summary:
    'Show a change request with its base, the saved and the proposed configuration, and the difference.',
  permission: 'project.view',
  versioned: true,
  reply: DescribedChangeRequest,
})

export const updateChangeRequest = call({
  method: 'PATCH',
  path: itemPath,
  summary: 'Change your own change request; omitted members stay unchanged. This voids its approval.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({
    config: Type.Optional(GivenConfig),
    reason: Type.Optional(Nullable(Reason)),
    reviewers: Type.Optional(Reviewers),
    scheduledFor: Type.Optional(Nullable(ScheduledFor)),
  }),
  reply: DescribedChangeRequest,
  errors: ['wrong-state', 'in-use', ...configErrors],
})

export const approveChangeRequest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/change-requests/:changeRequest/approve',
  summary: 'Approve the version of a change request that you read. You cannot approve your own.',
  permission: 'changes.approve',
  versioned: true,
  body: Strict({
    version: Type.Integer({ minimum: 1, description: 'The version of the change request that you read.' }),
    comment: Type.Optional(Reason),
  }),
  reply: DescribedChangeRequest,
  errors: ['version-conflict', 'wrong-state', 'in-use'],
})

export const declineChangeRequest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/change-requests/:changeRequest/decline',
  summary: 'Reject a change request, approved or not.',
  permission: 'changes.approve',
  versioned: true,
  body: Comment,
  reply: DescribedChangeRequest,
  errors: ['wrong-state'],
})

export const withdrawChangeRequest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/change-requests/:changeRequest/withdraw',
  summary: 'Cancel your own change request.',
  permission: 'flags.change',
  versioned: true,
  body: Comment,
  reply: DescribedChangeRequest,
  errors: ['wrong-state'],
})

export const applyChangeRequest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/change-requests/:changeRequest/apply',
  summary: 'Apply an approved change request as the next version. Applies a scheduled one immediately.',
  permission: 'flags.change-protected',
  versioned: true,
  body: Strict({ ...Comment.properties, endsEvidenceOf: Type.Optional(EndsEvidenceOf) }),
  reply: DescribedChangeRequest,
  errors: ['wrong-state', 'guard-running', ...configErrors],
})

export const rebaseChangeRequest = call({
  method: 'POST',
  path: '/api/v1/projects/:project/change-requests/:changeRequest/rebase',
  summary:
    'After a conflict, rebase your change request on the saved version. If both changed the same part, send a new configuration.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({ config: Type.Optional(GivenConfig), comment: Type.Optional(Reason) }),
  reply: DescribedChangeRequest,
  errors: ['wrong-state', 'in-use', ...configErrors],
})

export const changeRequestCalls = {
  listChangeRequests,
  openChangeRequest,
  getChangeRequest,
  updateChangeRequest,
  approveChangeRequest,
  declineChangeRequest,
  withdrawChangeRequest,
  applyChangeRequest,
  rebaseChangeRequest,
}
