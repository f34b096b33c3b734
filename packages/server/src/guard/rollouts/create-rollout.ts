import type { createRollout as createRolloutCall } from '@telltale/core/contract/rollouts'
import { problem } from '@telltale/core/errors'
import { newRollout } from '@telltale/core/guard/rollout'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { type ConfigRef, lockConfigRef } from '../../release/flags/config-ref.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { findTemplate } from '../rollout-templates/queries.ts'
import { toTemplate } from '../rollout-templates/template.ts'
import { checkPlan } from './check-plan.ts'
import { findProof } from './find-proof.ts'
import { countDrafts, type PlacedRollout, type RolloutRow } from './queries.ts'
import { toRollout } from './rollout.ts'
import { rolloutChange } from './store-turn.ts'

interface RolloutCreation {
  place: ConfigRef
  author: { id: string }
  given: Static<typeof createRolloutCall.body>
}

export const createRollout = change(async ({ db, now }, { place, author, given }: RolloutCreation) => {
  const { project } = place
  const { environment, flag } = await lockConfigRef(db, place)
  const ref = { flagId: flag.id, environmentId: environment.id }
  if ((await countDrafts(db, ref)) >= limits.rolloutDrafts) {
    throw problem('wrong-state', `There are ${limits.rolloutDrafts} drafts: delete one first.`)
  }
  const config = draftOf(await getConfig(db, ref))
  const definitions = await definitionsOf({ db }, project.id)
  const { template: named, proves, ...plan } = given
  const template = await findNamedTemplate(db, project.id, named)
  const checked = checkPlan(plan, { flag, config, definitions, author: author.id, template })
  const proof =
    proves === undefined
      ? null
      : await findProof(db, { projectId: project.id, ref, treatment: checked.treatment, proves })
  const rollout = newRollout()
  const row: RolloutRow = {
    id: newId(),
    projectId: project.id,
    ...ref,
    ...checked,
    reason: given.reason ?? null,
    judged: null,
    state: rollout.state,
    turn: rollout.turn,
    rollout,
    overlay: null,
    exclusions: null,
    split: null,
    firstEpoch: null,
    lastEpoch: null,
    seen: null,
    proof,
    draftedBy: author.id,
    approvals: [],
    startedBy: null,
    startedByName: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    endedAt: null,
    leaseHolder: null,
    leasedUntil: null,
  }
  await db.insert(rollouts).values(row)
  const after: PlacedRollout = { row, project, environment, flag }
  return { reply: await toRollout(db, after), changes: [rolloutChange('create', { after })] }
})

/** Throws `invalid-rollout` for a template that does not exist. */
async function findNamedTemplate(db: Queryable, projectId: string, key: string | undefined) {
  if (key === undefined) return undefined
  const row = await findTemplate(db, projectId, key)
  if (row !== undefined) return toTemplate(row)
  const message = `There is no rollout template "${key}".`
  throw problem('invalid-rollout', { errors: [{ pointer: '/template', message }] })
}
