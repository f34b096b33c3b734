import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, InstantParameter, Key, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hex digits.' })

/** Null for about a second, until the entry is in the hash chain. */
export const AuditSeal = Type.Object({
  position: Type.Integer({ minimum: 1, description: 'Counted over the whole installation, without gaps.' }),
  previousHash: Hash,
  hash: Hash,
})

export const AuditEntry = Type.Object({
  id: Id,
  at: Instant,
  actor: Type.Object({
    kind: Type.Enum(['user', 'token', 'guard', 'setup-file', 'host', 'system']),
    id: Nullable(Type.String()),
    name: Type.String(),
  }),
  action: Type.String({ description: 'Entity and verb, such as `environment.update`.' }),
  entity: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }),
  project: Nullable(Key),
  projectId: Nullable(Id),
  environment: Nullable(Key),
  environmentId: Nullable(Id),
  changes: Type.Array(
    Type.Object({
      pointer: Type.String({ description: 'JSON pointer (RFC 6901) into the entity.' }),
      before: Type.Optional(Type.Unknown()),
      after: Type.Optional(Type.Unknown()),
    }),
  ),
  reason: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
  seal: Nullable(AuditSeal),
})
export type AuditEntry = Static<typeof AuditEntry>

const filter = {
  q: Type.Optional(
    Type.String({
      maxLength: limits.auditSearchLength,
      description:
        'Words or parts of words in the actor, the action, and the kind and name of the entity: `mara flag`. All must occur.',
    }),
  ),
  action: Type.Optional(Type.String({ maxLength: 128, description: 'An action, such as `flag.archive`.' })),
  entity: Type.Optional(
    Type.String({ maxLength: 64, description: 'A kind of entity, such as `environment`.' }),
  ),
  entityId: Type.Optional(Type.String({ maxLength: 128 })),
  actor: Type.Optional(Type.String({ maxLength: 128, description: 'The id of a user or token.' })),
  from: Type.Optional(InstantParameter),
  to: Type.Optional(InstantParameter),
}
const inProject = { environment: Type.Optional(Key) }
const inInstallation = { project: Type.Optional(Key), environment: Type.Optional(Key) }
const format = Type.Optional(
  Type.Enum(['ndjson', 'csv'], {
    description: 'JSON lines (the default), or CSV with the changes as JSON in one column.',
  }),
)
const exported = Type.String({
  description: 'One entry per line, the oldest first. The export is an entry of the audit log itself.',
})

export const listProjectAudit = call({
  method: 'GET',
  path: '/api/v1/projects/:project/audit',
  summary: 'List the changes in a project, newest first. A page of a search may be empty and have a `next`.',
  permission: 'audit.view',
  query: Strict({ ...pageQuery, ...filter, ...inProject }),
  reply: Page(AuditEntry),
})

export const listInstallationAudit = call({
  method: 'GET',
  path: '/api/v1/audit',
  summary:
    'List all changes in the installation, newest first. A page of a search may be empty and have a `next`.',
  permission: 'installation.manage',
  query: Strict({ ...pageQuery, ...filter, ...inInstallation }),
  reply: Page(AuditEntry),
})

export const exportProjectAudit = call({
  method: 'GET',
  path: '/api/v1/projects/:project/audit/export',
  summary: 'Export the changes in a project.',
  permission: 'audit.view',
  query: Strict({ format, ...filter, ...inProject }),
  download: '*/*',
  reply: exported,
})

export const exportInstallationAudit = call({
  method: 'GET',
  path: '/api/v1/audit/export',
  summary: 'Export all changes in the installation.',
  permission: 'installation.manage',
  query: Strict({ format, ...filter, ...inInstallation }),
  download: '*/*',
  reply: exported,
})

export const auditCalls = {
  listProjectAudit,
  listInstallationAudit,
  exportProjectAudit,
  exportInstallationAudit,
}
