import type { LookEvidence, Turn } from '@telltale/core/guard/rollout'
import { and, eq, isNotNull } from 'drizzle-orm'
import { type ChangeOrigin, change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { rollouts, type Seen } from '../../platform/engines/postgres/rollout-schema.ts'
import { carryOut } from './carry-out.ts'
import { lockRollout, type PlacedRollout } from './queries.ts'
import { keepHistory } from './store-turn.ts'

/** Who decides when nobody does. */
export function guardOrigin(now: Date): ChangeOrigin {
  return { actor: { kind: 'guard', id: null, name: 'Guard' }, requestId: null, now }
}

export interface GuardTurn {
  /** As it was when the guard looked. */
  before: PlacedRollout
  turn: Turn
  /** Nothing while the engine is away. */
  evidence: LookEvidence | undefined
  now: Date
}

/**
 * Keeps what the guard saw and makes happen what it decided, all or nothing. False when somebody decided in between: then
 * nothing is kept, and the next look sees what stands.
 */
export async function applyTurn(db: Db, { before, turn, evidence, now }: GuardTurn): Promise<boolean> {
  const seen = evidence && {
    at: now.toISOString(),
    units: evidence.units,
    findings: evidence.findings,
    quality: evidence.quality,
  }
  if (turn.decisions.length > 0) return decide(db, guardOrigin(now), { before, turn, seen })

  // No decision: no version, no entry, nobody to tell.
  const kept = await db
    .update(rollouts)
    .set({ rollout: turn.rollout, ...(seen && { seen }) })
    .where(
      and(eq(rollouts.id, before.row.id), eq(rollouts.turn, before.row.turn), isNotNull(rollouts.overlay)),
    )
    .returning({ id: rollouts.id })
  if (kept.length > 0 && seen !== undefined) await keepHistory(db, before, { seen, always: false })
  return kept.length > 0
}

const decide = change(
  async (context, { before, turn, seen }: { before: PlacedRollout; turn: Turn; seen: Seen | undefined }) => {
    const locked = await lockRollout(context.db, before.project.id, before.row.id)
    if (locked.row.turn !== before.row.turn) return { reply: false, changes: [] }
    const { changes } = await carryOut(context, locked, { turn, seen })
    return { reply: true, changes }
  },
)
