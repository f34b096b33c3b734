import type { Project } from '@telltale/core/contract/projects'
import type { Static } from 'typebox'
import type { ProjectRow } from '../../access/find-project.ts'

/** A project as the API returns it to a caller with this role. */
export function toProject(row: ProjectRow, role: string): Static<typeof Project> {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    role,
    managed: row.managed,
    own: row.own,
    traceLink: row.traceLink,
  }
}

/** The fields of a project in the audit log. */
export function auditedProject({ key, name, telemetryBudget, traceLink }: ProjectRow): object {
  return {
    key,
    name,
    ...(telemetryBudget !== null && { telemetryBudgetBytes: telemetryBudget }),
    ...(traceLink !== null && { traceLink }),
  }
}
