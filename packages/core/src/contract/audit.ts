import { Type } from 'typebox'
import { call } from './call.ts'
import { Id, Instant, InstantParameter, Key, Nullable, Page, pageQuery, Strict } from './parameters.ts'

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
  environment: Nullable(Key),
  changes: Type.Array(
    Type.Object({
      pointer: Type.String({ description: 'JSON pointer (RFC 6901) into the entity.' }),
      before: Type.Optional(Type.Unknown()),
      after: Type.Optional(Type.Unknown()),
    }),
  ),
  reason: Nullable(Type.String()),
  requestId: Nullable(Type.String()),
})

const auditFilter = Strict({
  ...pageQuery,
  entity: Type.Optional(
    Type.String({ maxLength: 64, description: 'A kind of entity, such as `environment`.' }),
  ),
  entityId: Type.Optional(Type.String({ maxLength: 128 })),
  actor: Type.Optional(Type.String({ maxLength: 128, description: 'The id of a user or token.' })),
  from: Type.Optional(InstantParameter),
  to: Type.Optional(InstantParameter),
})

export const listProjectAudit = call({
  method: 'GET',
  path: '/api/v1/projects/:project/audit',
  summary: 'List the changes in a project, newest first.',
  permission: 'audit.view',
  query: auditFilter,
  reply: Page(AuditEntry),
})

export const listInstallationAudit = call({
  method: 'GET',
  path: '/api/v1/audit',
  summary: 'List all changes in the installation, newest first.',
  permission: 'installation.manage',
  query: auditFilter,
  reply: Page(AuditEntry),
})

export const auditCalls = { listProjectAudit, listInstallationAudit }
