import type { BodyOf } from '@telltale/core/contract/call'
import type { createExperiment as createExperimentCall } from '@telltale/core/contract/experiments'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { type ConfigRef, lockConfigRef } from '../../release/flags/config-ref.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkGoals } from './check-goals.ts'
import { experimentChange, toExperiment } from './experiment.ts'
import { chooseLayer } from './layer-of.ts'
import {
  countExperiments,
  type ExperimentRow,
  type PlacedExperiment,
  refuseTakenName,
  uninterrupted,
} from './queries.ts'

interface ExperimentCreation {
  place: ConfigRef
  given: BodyOf<typeof createExperimentCall>
}

export const createExperiment = change(async ({ db, now, actor }, { place, given }: ExperimentCreation) => {
  const { project } = place
  const { environment, flag } = await lockConfigRef(db, place)
  if ((await countExperiments(db, project.id)) >= limits.experiments)
    throw problem('in-use', `A project has at most ${limits.experiments} experiments: delete one first.`)
  const ref = { flagId: flag.id, environmentId: environment.id }
  const config = draftOf(await getConfig(db, ref))
  const definitions = await definitionsOf({ db }, project.id)
  const { place: at, control, goals, by } = checkGoals(given, { config, definitions })
  const { layer, set } = await chooseLayer(db, { projectId: project.id, by, given: given.layer ?? null })
  const row: ExperimentRow = {
    id: newId(),
    projectId: project.id,
    ...ref,
    name: given.name,
    hypothesis: given.hypothesis ?? '',
    place: at,
    control,
    goals,
    days: given.days ?? null,
    ...set,
    layerRanges: null,
    state: 'draft',
    ...{ judged: null, by: null, split: null, firstEpoch: null, lastEpoch: null },
    ...{ decision: null, results: null },
    ...{ createdBy: actor.name, startedBy: null, endedBy: null },
    ...{ createdAt: now, updatedAt: now, startedAt: null, endedAt: null, interruptedAt: null },
  }
  await refuseTakenName(db, row)
  await db.insert(experiments).values(row)
  const after: PlacedExperiment = { row, project, environment, flag, layer, ...uninterrupted }
  return { reply: await toExperiment(db, after), changes: experimentChange('create', { after }) }
})
