import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { listTelltales } from './list-telltales.ts'

export const telltaleRoutes: Handlers<Calls['telltales'], Services> = {
  listTelltales: async ({ db }, { project, query }) => ({
    items: await listTelltales(db, project.row.id, query.env),
  }),
}
