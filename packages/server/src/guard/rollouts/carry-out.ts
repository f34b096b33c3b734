// Carries out decisions. Start, rollback and every other end write a version of the configuration; a stage is
// an overlay on it without a version.

import { problem } from '@telltale/core/errors'
import { withExclusions } from '@telltale/core/evaluation/exclusion-rules'
import { hasEnded } from '@telltale/core/states/rollout'
import { eq } from 'drizzle-orm'
import type { ChangeContext, Changed, EntityChange } from '../../platform/engines/postgres/change.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { markingConflicts } from '../../release/change-requests/mark-conflicted.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { resolveConfigRef } from '../../release/flags/config-ref.ts'
import { type ConfigRow, getConfig } from '../../release/flags/queries.ts'
import { savedAt } from '../../release/flags/splits.ts'
import { writeConfig } from '../../release/flags/write-config.ts'
import { applyStage } from './apply-stage.ts'
import { passOwnWrite } from './guard-write.ts'
import type { PlacedRollout, RolloutRow } from './queries.ts'
import { withSplit } from './split-of.ts'
import { withWeight } from './stop-with-flag.ts'
import { storeTurn, type Taking } from './store-turn.ts'

/** The rollout must be locked. */
export async function carryOut(
  context: ChangeContext,
  before: PlacedRollout,
  taking: Taking,
): Promise<Changed<PlacedRollout>> {
  const { served, changes } = await serve(context, before, taking)
  const stored = await storeTurn(context, before, { ...taking, set: { ...taking.set, ...served } })
  return { reply: stored.after, changes: [...changes, ...stored.changes] }
}

interface Served {
  served: Partial<RolloutRow>
  changes: EntityChange[]
}

async function serve(context: ChangeContext, before: PlacedRollout, taking: Taking): Promise<Served> {
  const { row } = before
  const { flag, rollout } = taking.turn
  if (flag?.kind === 'stage' && row.overlay === null)
    return begin(context, before, { ...taking, weight: flag.weight })
  if (flag?.kind === 'stage' || flag?.kind === 'new-epoch') {
    if (row.overlay === null) throw problem('internal')
    const stage = { control: row.control, treatment: row.treatment, weight: flag.weight }
    const overlay = await applyStage(context.db, { split: row.overlay, stage, now: context.now })
    const isNew = flag.kind === 'new-epoch'
    const first = isNew ? { firstEpoch: overlay.epoch, seen: null } : {}
    return { served: { overlay, lastEpoch: overlay.epoch, ...first }, changes: [] }
  }
  if (!hasEnded(rollout.state) || row.overlay === null) return { served: {}, changes: [] }
  const weight = flag?.kind === 'complete' ? flag.weight : flag?.kind === 'roll-back' ? 0 : weightOf(row)
  return { served: {}, changes: await end(context, before, { ...taking, weight }) }
}

/** Current weight of the treatment. */
export function weightOf({ overlay, treatment }: RolloutRow): number {
  return overlay?.arms.find(({ variation }) => variation === treatment)?.weight ?? 0
}

type Weighing = Taking & { weight: number }

/** Writes the first version: the place becomes a split if it was not one already. */
async function begin(context: ChangeContext, placed: PlacedRollout, taking: Weighing): Promise<Served> {
  const { row } = placed
  const config = await getConfig(context.db, row)
  const draft = withWeight(withSplit(draftOf(config), row), { ...row, weight: taking.weight })
  const freshDraws = row.draft.freshDraw ? [row.place] : []
  const { changes, after } = await writeVersion(context, placed, { draft, taking, freshDraws })
  const saved = savedAt(after, row.place)
  if (saved === undefined) throw problem('internal')
  // If the weights were the same already, a new epoch excludes earlier events from the evidence.
  const isNew = saved.epoch !== savedAt(config, row.place)?.epoch
  const stage = { control: row.control, treatment: row.treatment, weight: taking.weight }
  const overlay = isNew ? saved : await applyStage(context.db, { split: saved, stage, now: context.now })
  const { id: split, epoch } = overlay
  return { served: { overlay, split, firstEpoch: epoch, lastEpoch: epoch }, changes }
}

async function end(context: ChangeContext, placed: PlacedRollout, taking: Weighing): Promise<EntityChange[]> {
  const { row } = placed
  // The overlay no longer applies, so the version written below is served.
  await context.db.update(rollouts).set({ overlay: null }).where(eq(rollouts.id, row.id))
  const config = await getConfig(context.db, row)
  const saved = withWeight(draftOf(config), { ...row, weight: taking.weight })
  // Excluded users stay excluded by a rule of the flag, without a probe. Members can remove it.
  const kept = taking.weight > 0 ? (row.exclusions ?? []).map((one) => ({ ...one, probe: 0 })) : []
  const draft = { ...saved, rules: withExclusions(saved.rules, kept, row) }
  const { changes } = await writeVersion(context, placed, { draft, taking })
  return changes
}

async function writeVersion(
  context: ChangeContext,
  { project, environment: { key: env }, flag: { key }, row }: PlacedRollout,
  {
    draft,
    taking,
    freshDraws = [],
  }: { draft: ReturnType<typeof draftOf>; taking: Taking; freshDraws?: readonly string[] },
): Promise<{ changes: EntityChange[]; after: ConfigRow }> {
  const { environment, flag } = await resolveConfigRef(context.db, { project, env, flag: key })
  const [decision] = taking.turn.decisions.slice(-1)
  const reason =
    taking.comment ?? `Rollout of "${row.treatment}": ${decision?.action ?? ''} (${decision?.reason ?? ''}).`
  const { changes, reply } = await writeConfig(context, {
    review: markingConflicts(passOwnWrite),
    project,
    environment,
    flag,
    from: undefined,
    draft,
    reason,
    freshDraws,
  })
  return { changes, after: reply }
}
