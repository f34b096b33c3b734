import type { LookEvidence, Turn } from '@telltale/core/guard/rollout'
import { isOfProof } from '@telltale/core/guard/rollout-proof'
import { and, eq, isNotNull } from 'drizzle-orm'
import { type ChangeOrigin, change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { rollouts, type Seen } from '../../platform/engines/postgres/rollout-schema.ts'
import { carryOut } from './carry-out.ts'
import { lockRollout, type PlacedRollout } from './queries.ts'
import { keepHistory } from './store-turn.ts'

/** The origin of automatic decisions. */
function guardOrigin(now: Date): ChangeOrigin {
  return { actor: { kind: 'guard', id: null, name: 'Guard' }, requestId: null, now }
}

interface GuardTurn {
  /** The rollout at the time of the look. */
  before: PlacedRollout
  turn: Turn
  /** Undefined while the engine is unavailable. */
  evidence: LookEvidence | undefined
  now: Date
}

/**
 * Stores the guard's findings and carries out its decision in one transaction. Returns false if there was
 * another decision in between: then nothing is stored, and the next look reads the new state.
 */
export async function applyTurn(db: Db, { before, turn, evidence, now }: GuardTurn): Promise<boolean> {
  const seen = evidence && {
    at: now.toISOString(),
    units: evidence.units,
    findings: evidence.findings.filter((finding) => !isOfProof(finding)),
    quality: evidence.quality,
    fixes: evidence.fixes,
  }
  if (turn.decisions.length > 0) return decide(db, guardOrigin(now), { before, turn, seen })

  // Without a decision there is no version, no log entry and no notification.
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
