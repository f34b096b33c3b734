import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '@telltale/core/contract/call'
import type { updateExperiment as updateExperimentCall } from '@telltale/core/contract/experiments'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkGoals } from './check-goals.ts'
import { experimentChange, toExperiment } from './experiment.ts'
import { chooseLayer } from './layer-of.ts'
import { type ExperimentOf, openExperiment } from './open-experiment.ts'
import { type PlacedExperiment, refuseTakenName } from './queries.ts'

interface ExperimentUpdate extends ExperimentOf {
  given: BodyOf<typeof updateExperimentCall>
}

/** Throws `wrong-state` for other goals or another control after the start. */
export const updateExperiment = change(async (context, { given, ...of }: ExperimentUpdate) => {
  const { db, now } = context
  const { placed: before } = await openExperiment(context, of)
  const { row } = before
  const { name = row.name, hypothesis = row.hypothesis, days = row.days, goals, control } = given
  const changesGoals = goals !== undefined && !isDeepStrictEqual(goals, row.goals)
  const changesControl = control !== undefined && control !== row.control
  const layer = given.layer === undefined ? layerOf(before) : given.layer
  const changesLayer = !isDeepStrictEqual(layer, layerOf(before))
  if (row.state !== 'draft' && (changesGoals || changesControl || changesLayer))
    throw problem(
      'wrong-state',
      `The experiment is ${row.state}: its goals, its control and its layer are fixed. End it, and create another one.`,
    )
  const plan = { name, hypothesis, days, goals: goals ?? row.goals, control: control ?? row.control }
  let chosen = { layer: before.layer, set: {} }
  if (row.state === 'draft') {
    const config = draftOf(await getConfig(db, row))
    const definitions = await definitionsOf({ db }, row.projectId)
    const { by } = checkGoals({ ...plan, place: row.place }, { config, definitions })
    chosen = await chooseLayer(db, { projectId: row.projectId, by, given: layer })
  }
  const set = { ...plan, ...chosen.set }
  await refuseTakenName(db, { ...row, name })
  const after: PlacedExperiment = { ...before, layer: chosen.layer, row: { ...row, ...set, updatedAt: now } }
  if (isDeepStrictEqual({ ...row, ...set }, row))
    return { reply: await toExperiment(db, before), changes: [] }
  await db
    .update(experiments)
    .set({ ...set, updatedAt: now })
    .where(eq(experiments.id, row.id))
  return { reply: await toExperiment(db, after), changes: experimentChange('update', { before, after }) }
})

const layerOf = ({ row, layer }: PlacedExperiment) =>
  layer === null ? null : { key: layer.key, share: row.layerShare ?? 0 }
