import { problem } from '@telltale/core/errors'
import { type BaseOfMetric, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { type Grant, may } from '@telltale/core/rights'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { findLayerShares } from '../../release/flags/layer-shares.ts'
import { type FlagRow, getConfig } from '../../release/flags/queries.ts'
import { savedAt } from '../../release/flags/splits.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { approveByStart } from './approval-of-start.ts'
import { checkPlan } from './check-plan.ts'
import { findRunning, type PlacedRollout, type RolloutRow } from './queries.ts'
import { refuseUnmeasured } from './refuse-unmeasured.ts'

interface Start {
  environment: EnvironmentRow
  flag: FlagRow
  by: { id: string; name: string }
  /** Of the account or its token. */
  grant: Grant
  /** What recent traffic says of the metrics, if known. */
  bases: ReadonlyMap<string, BaseOfMetric> | undefined
}

/**
 * The values that freeze at the start. The configuration may have changed since the draft. Throws
 * `wrong-state`, `forbidden`, `guard-running`, `invalid-rollout` and `unit-not-measured`. The rollout must be
 * locked.
 */
export async function prepareStart(
  { db, now }: ChangeContext,
  { row, project }: PlacedRollout,
  { environment, flag, by, grant, bases }: Start,
): Promise<Partial<RolloutRow>> {
  if (flag.archivedAt !== null) throw problem('wrong-state', 'The flag is archived.')
  const approver = may(grant, 'changes.approve', environment.key) ? by : undefined
  const approvals = await approveByStart({ db, now }, { project, row, approver })
  const config = await getConfig(db, row)
  if (!config.enabled) throw problem('wrong-state', 'The flag is off in this environment: turn it on first.')
  const others = await findRunning(db, row)
  const there = others.find((other) => other.row.place === row.place)
  if (there !== undefined) {
    throw problem('guard-running', {
      detail: `The split already has a guarded rollout, of "${there.row.treatment}".`,
      rollouts: [{ id: there.row.id, flag: flag.key, env: environment.key, parts: ['split'] }],
    })
  }
  const { place, control, treatment, by: unit, draft } = row
  const layer = (await findLayerShares(db, row)).get(place)
  if (layer !== undefined)
    throw problem(
      'wrong-state',
      `An experiment in layer "${layer.key}" is running on this split: end it first.`,
    )
  if (draft.freshDraw && savedAt(config, place)?.bucketing !== undefined)
    throw problem(
      'wrong-state',
      'The split was imported from Flagsmith and keeps its buckets: users cannot be reassigned.',
    )
  const definitions = await definitionsOf({ db }, project.id)
  const author = draft.shippedBy ?? by.id
  checkPlan(
    { place, control, treatment, by: unit, ...draft, stages: [...draft.stages] },
    { flag, config: draftOf(config), definitions, author },
  )
  await refuseUnmeasured(db, { environmentId: environment.id, by: unit })

  return {
    judged: draft.metrics.flatMap(({ metric, limit }) =>
      definitions
        .filter(({ key }) => key === metric)
        .map((definition) => freezeMetric(definition, { limit, base: bases?.get(metric) })),
    ),
    approvals,
    startedBy: by.id,
    startedByName: by.name,
    startedAt: now,
  }
}
