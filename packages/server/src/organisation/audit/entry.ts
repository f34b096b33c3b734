import { createHash } from 'node:crypto'
import type { Sealable } from '@telltale/core/audit/chain'
import type { AuditEntry } from '@telltale/core/contract/audit'
import type { AuditRow, SealedRow } from './queries.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export function toAuditEntry(row: SealedRow): AuditEntry {
  return { ...toSealable(row), seal: row.seal }
}

export function toSealable(row: AuditRow): Sealable {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    entity: { kind: row.entityKind, id: row.entityId, name: row.entityName },
    project: row.projectKey,
    projectId: row.projectId,
    environment: row.environmentKey,
    environmentId: row.environmentId,
    changes: row.changes,
    reason: row.reason,
    requestId: row.requestId,
  }
}
