import type { Project } from '@telltale/core/contract/projects'
import type { ProjectRole } from '@telltale/core/permissions'
import type { Static } from 'typebox'
import type { ProjectRow } from '../../access/find-project.ts'

/** A project as the API shows it to somebody with this role. */
export function toProject(row: ProjectRow, role: ProjectRole): Static<typeof Project> {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    role,
    managed: row.managed,
    own: row.own,
  }
}

/** What the audit log says of a project. */
export function auditedProject({ key, name, telemetryBudget }: ProjectRow): object {
  return { key, name, ...(telemetryBudget !== null && { telemetryBudgetBytes: telemetryBudget }) }
}
