import type { RolloutRow } from '../../api/rollouts.ts'
import type { FlagTelltale } from '../../api/telltales.ts'

/** The telltale of one rollout, as for flags. Undefined before it starts. */
export function telltaleOfRollout(rollout: RolloutRow): FlagTelltale | undefined {
  const { id, stages, seen, telltale, ...rest } = rollout
  if (rollout.startedAt === null) return undefined
  return { ...rest, ...telltale, rollout: id, stages: stages.length, checkedAt: seen?.at ?? null }
}
