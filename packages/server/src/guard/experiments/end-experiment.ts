import type { ExperimentResults } from '@telltale/core/contract/experiments'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import { experimentChange, toExperiment } from './experiment.ts'
import { type ExperimentOf, openExperiment } from './open-experiment.ts'
import { findCountedEpochs, type PlacedExperiment } from './queries.ts'

interface End extends ExperimentOf {
  decision: { variation: string | null; note: string }
  /** Read before anything is locked. */
  results: ExperimentResults
}

/** Keeps the results, and counts nothing from now on. Throws `wrong-state` and `invalid-experiment`. */
export const endExperiment = change(async (context, { decision, results, ...of }: End) => {
  const { db, now, actor } = context
  const { placed: before } = await openExperiment(context, of)
  const { row } = before
  if (row.state !== 'running') throw problem('wrong-state', `The experiment is ${row.state}.`)
  const epochs = await findCountedEpochs(db, row)
  const known = new Set(epochs.flatMap(({ arms }) => arms.map(({ variation }) => variation)))
  if (decision.variation !== null && !known.has(decision.variation))
    throw problem('invalid-experiment', {
      errors: [{ pointer: '/variation', message: 'The experiment does not compare it.' }],
    })
  const set = {
    state: 'ended' as const,
    decision,
    results,
    lastEpoch: epochs.at(-1)?.epoch ?? row.firstEpoch,
    endedBy: actor.name,
    endedAt: now,
    updatedAt: now,
  }
  await db.update(experiments).set(set).where(eq(experiments.id, row.id))
  const after: PlacedExperiment = { ...before, row: { ...row, ...set } }
  return {
    reply: await toExperiment(db, after),
    changes: experimentChange('end', { before, after, reason: decision.note }),
  }
})
