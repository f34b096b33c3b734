import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Services } from '../../platform/services.ts'
import { resolveConfigRef } from '../../release/flags/config-ref.ts'
import { getImpact } from './get-impact.ts'
import { getImpactEvidence } from './get-impact-evidence.ts'
import { getImpactHistory } from './get-impact-history.ts'
import { getImpactSlices } from './get-impact-slices.ts'

export const impactRoutes: Handlers<Calls['impact'], Services & { stackMapper: StackMapper }> = {
  getFlagImpact: async (services, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(services.db, { ...params, project: project.row })
    const ref = { flagId: flag.id, environmentId: environment.id }
    return getImpact(services, { projectId: project.row.id, ref, query })
  },
  getFlagImpactHistory: async (services, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(services.db, { ...params, project: project.row })
    const ref = { flagId: flag.id, environmentId: environment.id }
    return getImpactHistory(services, { projectId: project.row.id, ref, query, now: new Date() })
  },
  getFlagImpactSlices: async (services, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(services.db, { ...params, project: project.row })
    const ref = { flagId: flag.id, environmentId: environment.id }
    return getImpactSlices(services, { projectId: project.row.id, ref, query, now: new Date() })
  },
  getFlagImpactEvidence: async (services, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(services.db, { ...params, project: project.row })
    const ref = { flagId: flag.id, environmentId: environment.id }
    return getImpactEvidence(services, {
      projectId: project.row.id,
      ref,
      flag: flag.key,
      query,
      eventsKeptDays: environment.retentionEvents,
    })
  },
}
