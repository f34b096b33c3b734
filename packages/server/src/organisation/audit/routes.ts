import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { exportAudit } from './export-audit.ts'
import { listAudit } from './list-audit.ts'

export const auditRoutes: Handlers<Calls['audit'], Services> = {
  listProjectAudit: ({ db }, { project, query }) => listAudit(db, query, { projectId: project.row.id }),
  listInstallationAudit: ({ db }, { query }) => listAudit(db, query),
  exportProjectAudit: ({ db }, { project, query, origin }) =>
    exportAudit(db, origin, { query, project: project.row }),
  exportInstallationAudit: ({ db }, { query, origin }) => exportAudit(db, origin, { query }),
}
