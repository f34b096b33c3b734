import { problem } from '@telltale/core/errors'
import type { JudgedGoal } from '@telltale/core/guard/experiment/judged-goal'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { experiments, type PlannedGoal } from '../../platform/engines/postgres/experiment-schema.ts'
import { markingConflicts } from '../../release/change-requests/mark-conflicted.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { refuseArchived, refuseUnproposed } from '../../release/flags/config-ref.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { savedAt } from '../../release/flags/splits.ts'
import { writeConfig } from '../../release/flags/write-config.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { passOwnWrite } from '../rollouts/guard-write.ts'
import { findRunning } from '../rollouts/queries.ts'
import { refuseUnmeasured } from '../rollouts/refuse-unmeasured.ts'
import { checkGoals } from './check-goals.ts'
import { experimentChange, toExperiment } from './experiment.ts'
import { reserveShare } from './layer-of.ts'
import { type ExperimentOf, openExperiment } from './open-experiment.ts'
import { findExperiments, type PlacedExperiment } from './queries.ts'

interface Start extends ExperimentOf {
  judged: readonly JudgedGoal[]
}

/**
 * Fixes how the goals are measured and begins an epoch of the split, so that nothing from before counts. Users keep
 * their variations; in a layer, those outside of its share get the control. Throws `wrong-state`, `guard-running`,
 * `forbidden`, `unit-not-measured`, `flag-not-found`, `invalid-experiment` and `layer-full`.
 */
export const startExperiment = change(async (context, { judged, ...of }: Start) => {
  const { db, now, actor } = context
  const { placed: before, environment, flag } = await openExperiment(context, of)
  const { row, project } = before
  if (row.state !== 'draft') throw problem('wrong-state', `The experiment is ${row.state}.`)
  refuseArchived(flag)
  const config = await getConfig(db, row)
  if (!config.enabled) throw problem('wrong-state', 'The flag is off in this environment: turn it on first.')
  await refuseOthers(before, context)
  const definitions = await definitionsOf({ db }, project.id)
  const draft = draftOf(config)
  const { by } = checkGoals(row, { config: draft, definitions })
  if (!isOfGoals(judged, row.goals))
    throw problem('wrong-state', 'Its goals were changed meanwhile: try again.')
  await refuseUnmeasured(db, { environmentId: environment.id, by })
  const layerRanges = await reserveShare(db, before, by)
  if (layerRanges !== null) refuseUnproposed(environment, of.grant)
  // Before the version is written, which takes the share from here.
  if (layerRanges !== null)
    await db.update(experiments).set({ state: 'running', layerRanges }).where(eq(experiments.id, row.id))

  const { reply: saved, changes } = await writeConfig(context, {
    review: markingConflicts(passOwnWrite),
    project,
    environment,
    flag,
    draft,
    from: undefined,
    reason:
      before.layer === null
        ? `Experiment "${row.name}" started: users keep their variations.`
        : `Experiment "${row.name}" started in layer "${before.layer.key}": users outside of its share get "${row.control}".`,
    newEpochs: [row.place],
  })
  const split = savedAt(saved, row.place)
  if (split === undefined) throw problem('internal')
  const set = {
    state: 'running' as const,
    // The history of a user is found by the key.
    judged: judged.map(({ history, ...goal }) =>
      by === 'targetingKey' && history !== undefined ? { ...goal, history } : goal,
    ),
    by,
    layerRanges,
    split: split.id,
    firstEpoch: split.epoch,
    startedBy: actor.name,
    startedAt: now,
    updatedAt: now,
  }
  await db.update(experiments).set(set).where(eq(experiments.id, row.id))
  const after: PlacedExperiment = { ...before, row: { ...row, ...set } }
  return {
    reply: await toExperiment(db, after),
    changes: [...changes, ...experimentChange('start', { before, after })],
  }
})

const isOfGoals = (judged: readonly JudgedGoal[], goals: readonly PlannedGoal[]) =>
  judged.length === goals.length &&
  goals.every(({ metric, margin, window, funnel }, index) => {
    const one = judged[index]
    if (one?.metric !== metric || one.limit !== margin) return false
    return one.window === window && one.steps === funnel?.steps
  })

/** A split has one experiment at a time, and none while a rollout moves its weights. */
async function refuseOthers(
  { row, project, environment, flag }: PlacedExperiment,
  { db }: Parameters<typeof openExperiment>[0],
): Promise<void> {
  const running = await findExperiments(db, project.id, {
    env: environment.key,
    flag: flag.key,
    state: 'running',
  })
  const other = running.find(({ row: { place } }) => place === row.place)
  if (other !== undefined)
    throw problem('wrong-state', `The experiment "${other.row.name}" is running on this split.`)
  const rollout = (await findRunning(db, row)).find(({ row: { place } }) => place === row.place)
  if (rollout === undefined) return
  throw problem('guard-running', {
    detail: `A rollout of "${rollout.row.treatment}" is running on this split: wait until it ends.`,
    rollouts: [{ id: rollout.row.id, flag: flag.key, env: environment.key, parts: ['split'] }],
  })
}
