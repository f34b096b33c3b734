import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { nextNightAt } from './night-of.ts'
import { previewRetention } from './preview-retention.ts'
import { findNights } from './queries.ts'
import { setBudget } from './set-budget.ts'
import { showStorage } from './show-storage.ts'

export const retentionRoutes: Handlers<Calls['retention'], Services> = {
  getRetention: async ({ db, clock }, { project, params }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const nights = await findNights(db, id)
    return {
      next: nextNightAt(clock()).toISOString(),
      nights: nights.map(({ night, removed }) => ({
        night: night.night,
        state: night.state,
        startedAt: night.startedAt.toISOString(),
        endedAt: night.endedAt?.toISOString() ?? null,
        reason: night.reason,
        removed: removed.map(({ kind, reason, rows, bytes }) => ({ kind, reason, rows, bytes })),
      })),
    }
  },
  previewRetention: async ({ db, telemetry, clock }, { project, params, query }) => {
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return previewRetention(telemetry, environment, { query, now: clock() })
  },
  getStorage: (services, { project }) => showStorage(services, project.row),
  setBudget: ({ db }, { project, origin, body }) =>
    setBudget(db, origin, { id: project.row.id, bytes: body.bytes }),
}
