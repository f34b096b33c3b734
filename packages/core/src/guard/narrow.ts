// Narrowing as part of a look: excludes a harmed slice, lets it back, or gives up and rolls back.

import { isMissingAccepted } from './missing-people.ts'
import { rollBack, settle, type Writing } from './moves.ts'
import { type Exclusion, narrowBy, notNarrowed, without } from './narrowing.ts'
import type { Decision, Rollout, SliceLook, Turn } from './rollout.ts'

/** The turn, if something changes; otherwise what was observed. */
export function narrow(
  writing: Writing,
  slices: SliceLook | undefined,
  now: number,
): { writing: Writing; turn?: Turn } {
  const { plan, rollout } = writing
  const isSplitSound = rollout.splitWrong === undefined || isMissingAccepted(rollout)
  if (plan.onSliceHarm !== 'narrow' || slices === undefined || !isSplitSound) return { writing }
  const { narrowing, step } = narrowBy(rollout.narrowing ?? notNarrowed, { now, ...slices })
  const observed: Writing = { ...writing, rollout: { ...rollout, narrowing } }
  const about = ({ slice, metric }: Pick<Exclusion, 'slice' | 'metric'>) => ({ slice, metric })
  switch (step.kind) {
    case 'none':
      return { writing: observed }
    case 'exclude': {
      const decision = { ...writing.entry('narrow', 'slice-harmed'), ...about(step.exclusion) }
      return { writing, turn: restartWithout(observed, decision) }
    }
    case 'extend': {
      const decision = { ...writing.entry('narrow', 'slice-still-harmed'), ...about(step.exclusion) }
      return { writing, turn: settle({ ...observed, decisions: [...observed.decisions, decision] }) }
    }
    case 'next-round': {
      const decision = { ...writing.entry('probe', 'probe-period'), ...about(step.exclusion) }
      return { writing, turn: inNewEpoch(observed, decision) }
    }
    case 'restore': {
      const decision = { ...writing.entry('restore', step.reason), ...about(step.exclusion) }
      return { writing, turn: letBack(observed, decision) }
    }
    case 'give-up': {
      const turn = rollBack(observed, step.reason, step.found.metric)
      const decisions = turn.decisions.map((one) =>
        one.action === 'roll-back' ? { ...one, ...about(step.found) } : one,
      )
      return { writing, turn: { ...turn, decisions } }
    }
  }
}

/** The evidence so far has the harm of the excluded users in it, so it restarts; what a member accepted stays so. */
function restartWithout({ plan, rollout, ...writing }: Writing, decision: Decision): Turn {
  const anew: Rollout = {
    ...rollout,
    state: rollout.state === 'paused' ? 'paused' : 'running',
    evidence: rollout.evidence + 1,
    watched: 0,
    regressed: rollout.regressed.filter((metric) => rollout.accepted.includes(metric)),
    reason: undefined,
  }
  const weight = plan.stages[rollout.stage]?.weight ?? 0
  const decisions = [...writing.decisions, decision]
  return settle({ ...writing, plan, rollout: anew, decisions }, { kind: 'new-epoch', weight })
}

/** Because other users are compared from now on, or a probe anew. The evidence goes on. */
function inNewEpoch(writing: Writing, decision: Decision): Turn {
  const weight = writing.plan.stages[writing.rollout.stage]?.weight ?? 0
  return settle({ ...writing, decisions: [...writing.decisions, decision] }, { kind: 'stage', weight })
}

/** The stage lasts its time again, so that a slice that came back is watched before the next one. */
function letBack(writing: Writing, decision: Decision): Turn {
  return inNewEpoch({ ...writing, rollout: { ...writing.rollout, watched: 0 } }, decision)
}

/** By a member: the slice comes back, and is not excluded again. Undefined if it is not excluded. */
export function letBackNow(writing: Writing, id: string): Turn | undefined {
  const narrowing = writing.rollout.narrowing ?? notNarrowed
  const exclusion = narrowing.excluded.find((one) => one.id === id)
  if (exclusion === undefined) return undefined
  const { slice, metric } = exclusion
  const kept = [...narrowing.kept, slice]
  const rollout: Rollout = { ...writing.rollout, narrowing: { ...without(narrowing, id), kept } }
  return letBack({ ...writing, rollout }, { ...writing.entry('restore', 'a-person'), slice, metric })
}
