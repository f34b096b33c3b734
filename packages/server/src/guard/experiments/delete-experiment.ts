import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import { experimentChange } from './experiment.ts'
import { type ExperimentOf, openExperiment } from './open-experiment.ts'

/** Throws `wrong-state` while it runs. */
export const deleteExperiment = change(async (context, of: ExperimentOf) => {
  const { placed: before } = await openExperiment(context, of)
  if (before.row.state === 'running') throw problem('wrong-state', 'The experiment is running: end it first.')
  await context.db.delete(experiments).where(eq(experiments.id, before.row.id))
  return { reply: null, changes: experimentChange('delete', { before }) }
})
