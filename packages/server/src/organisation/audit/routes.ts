import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { listAudit } from './list-audit.ts'

export const auditRoutes: Handlers<Calls['audit'], Services> = {
  listProjectAudit: ({ db }, { project, query }) => listAudit(db, query, { projectId: project.row.id }),
  listInstallationAudit: ({ db }, { query }) => listAudit(db, query),
}
