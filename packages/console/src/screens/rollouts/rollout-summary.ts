import type { RolloutRow } from '../../api/rollouts.ts'
import type { GuardedTelltale } from '../../api/telltales.ts'

/** The telltale of one rollout, as for flags. Undefined before it starts. */
export function telltaleOfRollout(rollout: RolloutRow): GuardedTelltale | undefined {
  const { id, stages, seen, telltale, ...rest } = rollout
  if (rollout.startedAt === null) return undefined
  return {
    kind: 'guarded',
    ...rest,
    ...telltale,
    rollout: id,
    stages: stages.length,
    checkedAt: seen?.at ?? null,
  }
}
