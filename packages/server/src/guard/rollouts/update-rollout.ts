import type { updateRollout as updateRolloutCall } from '@telltale/core/contract/rollouts'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { change } from '../../platform/engines/postgres/change.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { checkMayChange, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkPlan } from './check-plan.ts'
import { lockRollout, type RolloutRow } from './queries.ts'
import { toRollout } from './rollout.ts'
import { rolloutChange } from './store-turn.ts'

interface RolloutUpdate {
  project: { id: string; key: string }
  grant: Grant
  id: string
  author: { id: string }
  given: Static<typeof updateRolloutCall.body>
}

/** Changes a draft; fields left out keep their values. */
export const updateRollout = change(
  async ({ db, now }, { project, grant, id, author, given }: RolloutUpdate) => {
    const before = await lockRollout(db, project.id, id)
    const { row } = before
    const { environment, flag } = await resolveConfigRef(db, {
      project,
      env: before.environment.key,
      flag: before.flag.key,
    })
    checkMayChange(environment, grant)
    const { turn, reason, ...changed } = given
    if (row.state !== 'draft') throw problem('wrong-state', `The rollout is ${row.state}.`)
    if (turn !== row.turn) throw problem('version-conflict', { current: await toRollout(db, before) })

    const { place, control, treatment, by, draft } = row
    const config = draftOf(await getConfig(db, row))
    const definitions = await definitionsOf({ db }, project.id)
    const checked = checkPlan(
      { place, control, treatment, by, ...draft, stages: [...draft.stages], ...changed },
      { flag, config, definitions, author: author.id },
    )
    const rollout = { ...row.rollout, turn: row.turn + 1 }
    const updated: RolloutRow = {
      ...row,
      ...checked,
      reason: reason === undefined ? row.reason : reason,
      rollout,
      turn: rollout.turn,
      draftedBy: author.id,
      updatedAt: now,
    }
    await db.update(rollouts).set(updated).where(eq(rollouts.id, id))
    const after = { ...before, row: updated }
    return { reply: await toRollout(db, after), changes: [rolloutChange('update', { before, after })] }
  },
)
