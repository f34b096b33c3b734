import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { configPathOf, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { createExperiment } from './create-experiment.ts'
import { deleteExperiment } from './delete-experiment.ts'
import { endExperiment } from './end-experiment.ts'
import { toExperiment, toExperiments } from './experiment.ts'
import { fixMeasures } from './fix-measures.ts'
import { planExperiment } from './plan-experiment.ts'
import { findExperiments, getExperiment } from './queries.ts'
import { readResults } from './read-results.ts'
import { startExperiment } from './start-experiment.ts'
import { updateExperiment } from './update-experiment.ts'

export const experimentRoutes: Handlers<Calls['experiments'], Services> = {
  listExperiments: async ({ db }, { project, query }) => {
    const found = await findExperiments(db, project.row.id, query)
    return { items: await toExperiments(db, project.row.id, found) }
  },
  createExperiment: ({ db }, { project, params, origin, body }) =>
    createExperiment(db, origin, { place: configPathOf(project, params), given: body }),
  planExperiment: async (services, { project, params, body }) => {
    const { environment, flag } = await resolveConfigRef(services.db, { ...params, project: project.row })
    return planExperiment(services, { projectId: project.row.id, environment, flag, given: body })
  },
  getExperiment: async ({ db }, { project, params }) =>
    toExperiment(db, await getExperiment(db, { projectId: project.row.id, id: params.experiment })),
  updateExperiment: ({ db }, { project, params, origin, body }) =>
    updateExperiment(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.experiment,
      given: body,
    }),
  startExperiment: async (services, { project, params, origin }) => {
    const { db } = services
    const placed = await getExperiment(db, { projectId: project.row.id, id: params.experiment })
    const environment = await getEnvironment(db, { projectId: project.row.id, key: placed.environment.key })
    const judged = await fixMeasures(services, placed, environment)
    const of = { project: project.row, grant: project.grant, id: placed.row.id }
    return startExperiment(db, origin, { ...of, judged })
  },
  endExperiment: async (services, { project, params, origin, body: { variation, note = '' } }) => {
    const { db } = services
    const results = await resultsOf(services, project.row.id, params.experiment)
    return endExperiment(db, origin, {
      project: project.row,
      grant: project.grant,
      id: params.experiment,
      decision: { variation, note },
      results,
    })
  },
  deleteExperiment: ({ db }, { project, params, origin }) =>
    deleteExperiment(db, origin, { project: project.row, grant: project.grant, id: params.experiment }),
  getExperimentResults: async (services, { project, params }) =>
    resultsOf(services, project.row.id, params.experiment),
}

async function resultsOf(services: Services, projectId: string, id: string) {
  const placed = await getExperiment(services.db, { projectId, id })
  const { timeZone } = await getEnvironment(services.db, { projectId, key: placed.environment.key })
  return readResults(services, placed, timeZone)
}
