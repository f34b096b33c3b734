import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { weightsAt } from '@telltale/core/evaluation/stage-weights'
import { lookAt } from '@telltale/core/guard/look'
import type { Turn } from '@telltale/core/guard/rollout'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { type PlacedRollout, planOf, standingOf } from './queries.ts'
import { personOf } from './restart-evidence.ts'
import { storeTurn } from './store-turn.ts'

/** Rolls back the running rollouts of a flag that was turned off. The rollouts must be locked. */
export async function stopWithFlag(
  context: ChangeContext,
  running: readonly PlacedRollout[],
): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const placed of running) {
    const turn = turnOfFlag(context, placed, 'off')
    const stored = await storeTurn(context, placed, { turn, by: personOf(context.actor) })
    changes.push(...stored.changes)
  }
  return changes
}

/** The guard's turn for a flag that is off or archived. */
export function turnOfFlag({ now }: ChangeContext, { row }: PlacedRollout, flag: 'off' | 'archived'): Turn {
  return lookAt(planOf(row), standingOf(row), {
    now: now.getTime(),
    flag,
    signal: { spoolLag: 0, evaluations: 0, heard: noUsers, expected: undefined, isFresh: false },
    evidence: undefined,
  })
}

const noUsers = { treatment: 0, control: 0 }

/** The configuration without the treatments, so that they stay off when the flag is turned on again. */
export function withoutTreatments(
  draft: FlagConfigDraft,
  running: readonly PlacedRollout[],
): FlagConfigDraft {
  return running.reduce((config, { row }) => withWeight(config, { ...row, weight: 0 }), draft)
}

/** The configuration with the treatment at this weight; unchanged if the place has no such split. */
export function withWeight(
  draft: FlagConfigDraft,
  {
    place,
    control,
    treatment,
    weight,
  }: { place: string; control: string; treatment: string; weight: number },
): FlagConfigDraft {
  const at = (serve: FlagConfigDraft['fallthrough']) => {
    if (!('split' in serve)) return serve
    const split = weightsAt(serve.split, { control, treatment, weight })
    return split === undefined ? serve : { ...serve, split }
  }
  if (place === 'fallthrough') return { ...draft, fallthrough: at(draft.fallthrough) }
  const rules = draft.rules.map((rule) => (rule.id === place ? { ...rule, serve: at(rule.serve) } : rule))
  return { ...draft, rules }
}
