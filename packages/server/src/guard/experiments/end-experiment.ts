import { isSame } from '@telltale/core/changes/same'
import type { ExperimentResults } from '@telltale/core/contract/experiments'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import { markingConflicts } from '../../release/change-requests/mark-conflicted.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { refuseUnproposed } from '../../release/flags/config-ref.ts'
import { type FlagRow, getConfig } from '../../release/flags/queries.ts'
import { writeConfig } from '../../release/flags/write-config.ts'
import { passOwnWrite } from '../rollouts/guard-write.ts'
import { experimentChange, toExperiment } from './experiment.ts'
import { type ExperimentOf, openExperiment } from './open-experiment.ts'
import { findCountedEpochs, type PlacedExperiment, uninterrupted } from './queries.ts'

interface End extends ExperimentOf {
  decision: { variation: string | null; note: string }
  /** Read before anything is locked. */
  results: ExperimentResults
}

/** Keeps the results, and counts nothing from now on. Throws `wrong-state` and `invalid-experiment`. */
export const endExperiment = change(async (context, { decision, results, ...of }: End) => {
  const { db, now, actor } = context
  const { placed: before, environment, flag } = await openExperiment(context, of)
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
  const after: PlacedExperiment = { ...before, ...uninterrupted, row: { ...row, ...set } }
  const freed =
    before.layer === null
      ? []
      : await leaveLayer(context, { after, environment, flag, decision, grant: of.grant })
  return {
    reply: await toExperiment(db, after),
    changes: [...freed, ...experimentChange('end', { before, after, reason: decision.note })],
  }
})

interface Leaving {
  after: PlacedExperiment
  environment: EnvironmentRow
  flag: FlagRow
  decision: End['decision']
  grant: Grant
}

/**
 * Its share becomes free, so its split must not go on among users of the next experiment: all get the chosen variation,
 * or the control without one. Nothing changes if the place serves something else by now.
 */
async function leaveLayer(
  context: ChangeContext,
  { after: { row, project }, environment, flag, decision, grant }: Leaving,
): Promise<EntityChange[]> {
  const draft = draftOf(await getConfig(context.db, row))
  const variation = decision.variation ?? row.control
  const serveOf = <Serve extends FlagConfigDraft['fallthrough']>(serve: Serve) =>
    'split' in serve ? { variation } : serve
  const next = {
    ...draft,
    rules: draft.rules.map((rule) =>
      rule.id === row.place ? { ...rule, serve: serveOf(rule.serve) } : rule,
    ),
    fallthrough: row.place === 'fallthrough' ? serveOf(draft.fallthrough) : draft.fallthrough,
  }
  if (isSame(next, draft)) return []
  refuseUnproposed(
    environment,
    grant,
    ` Or propose that its split serves "${variation}" to all, and end it then.`,
  )
  const { changes } = await writeConfig(context, {
    review: markingConflicts(passOwnWrite),
    project,
    environment,
    flag,
    draft: next,
    from: undefined,
    reason: `Experiment "${row.name}" ended: all users of its split get "${variation}".`,
  })
  return changes
}
