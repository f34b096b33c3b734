import type { Split } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { type Acted, act } from '@telltale/core/guard/act'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { applyStage } from './apply-stage.ts'
import { type PlacedRollout, planOf, standingOf } from './queries.ts'
import { storeTurn } from './store-turn.ts'

/** Restarts the evidence of a rollout after a change of what it compares. The rollout must be locked. */
export async function restartEvidence(
  context: ChangeContext,
  before: PlacedRollout,
  { comment, split }: { comment: string; split?: Split | undefined },
): Promise<EntityChange[]> {
  const { row } = before
  const standing = standingOf(row)
  const acted: Acted = act(planOf(row), standing, {
    action: 'begin-anew',
    by: context.actor.id ?? context.actor.name,
    turn: standing.turn,
    now: context.now.getTime(),
  })
  const base = split ?? row.overlay
  if ('refused' in acted || acted.flag?.kind !== 'new-epoch' || base === null) throw problem('internal')

  const { control, treatment } = row
  const stage = { control, treatment, weight: acted.flag.weight }
  const overlay = await applyStage(context.db, { split: base, stage, now: context.now })
  const set = { overlay, by: overlay.by, firstEpoch: overlay.epoch, lastEpoch: overlay.epoch, seen: null }
  const by = personOf(context.actor)
  const { changes } = await storeTurn(context, before, { turn: acted, set, by, comment })
  return changes
}

/** The person behind a change, for the decision log. A token has no account id. */
export function personOf({ kind, id, name }: AuditActor): { id: string | null; name: string } | undefined {
  if (kind === 'guard') return undefined
  return { id: kind === 'user' ? id : null, name }
}
