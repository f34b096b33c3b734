import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { Download } from '../../platform/http/download.ts'
import type { Services } from '../../platform/services.ts'
import { deleteBudget, setBudget } from '../harm-budget/set-budget.ts'
import { ledgerAsCsv } from './export-ledger.ts'
import { showLedger } from './show-ledger.ts'

export const ledgerRoutes: Handlers<Calls['ledger'], Services> = {
  getLedger: async (services, { project, params, query }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    return showLedger(services, environment, query.month)
  },
  exportLedger: async (services, { project, params, query }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    const shown = await showLedger(services, environment, query.month)
    return new Download('text/csv; charset=utf-8', Buffer.from(ledgerAsCsv(shown)))
  },
  setHarmBudget: ({ db }, { project, params, origin, body }) =>
    setBudget(db, origin, { project: project.row, env: params.env, given: body }),
  deleteHarmBudget: ({ db }, { project, params, origin }) =>
    deleteBudget(db, origin, { project: project.row, env: params.env }),
}
