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
  if (row.state !== 'draft' && (changesGoals || changesControl))
    throw problem(
      'wrong-state',
      `The experiment is ${row.state}: its goals and its control are fixed. End it, and create another one.`,
    )
  const set = { name, hypothesis, days, goals: goals ?? row.goals, control: control ?? row.control }
  if (row.state === 'draft') {
    const config = draftOf(await getConfig(db, row))
    checkGoals(
      { ...set, place: row.place },
      { config, definitions: await definitionsOf({ db }, row.projectId) },
    )
  }
  await refuseTakenName(db, { ...row, name })
  const after: PlacedExperiment = { ...before, row: { ...row, ...set, updatedAt: now } }
  if (isDeepStrictEqual({ ...row, ...set }, row))
    return { reply: await toExperiment(db, before), changes: [] }
  await db
    .update(experiments)
    .set({ ...set, updatedAt: now })
    .where(eq(experiments.id, row.id))
  return { reply: await toExperiment(db, after), changes: experimentChange('update', { before, after }) }
})
