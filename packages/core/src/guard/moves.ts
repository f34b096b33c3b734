// The transitions of a rollout, each with its entry in the decision log and its change of the flag.
import { limits } from '../limits.ts'
import type { RolloutState } from '../states/rollout.ts'
import type { Finding } from './judge-metric.ts'
import type { Decision, FlagChange, Reason, Rollout, RolloutPlan, Turn } from './rollout.ts'

/** A turn that is being decided. */
export interface Writing {
  plan: RolloutPlan
  rollout: Rollout
  decisions: readonly Decision[]
  entry(action: Decision['action'], reason: Reason): Decision
  by: string | undefined
}

export function write(
  plan: RolloutPlan,
  rollout: Rollout,
  { now, findings, by }: { now: number; findings: readonly Finding[]; by?: string },
): Writing {
  const { stage } = rollout
  const entry: Writing['entry'] = (action, reason) => ({
    at: now,
    stage,
    action,
    reason,
    findings,
    ...(by !== undefined && { by }),
  })
  return { plan, rollout, decisions: [], entry, by }
}

/** Completes the turn. Every decision increments it, so that the next decision names the one it is based on. */
export function settle({ rollout, decisions }: Writing, flag?: FlagChange): Turn {
  const turn = rollout.turn + (decisions.length > 0 ? 1 : 0)
  return { rollout: { ...rollout, turn }, decisions, ...(flag && { flag }) }
}

export function rollBack(writing: Writing, reason: Reason, metric?: string): Turn {
  const decision = { ...writing.entry('roll-back', reason), metric }
  return end(writing, { state: 'rolled-back', decision, flag: { kind: 'roll-back' } })
}

export function end(
  writing: Writing,
  { state, decision, flag }: { state: RolloutState; decision: Decision; flag?: FlagChange },
): Turn {
  const { rollout, decisions } = writing
  const ended = { ...rollout, state, reason: decision.reason }
  return settle({ ...writing, rollout: ended, decisions: [...decisions, decision] }, flag)
}

export interface Hold {
  state: RolloutState
  reason: Reason
  metric?: string | undefined
}

/** Logged once: holding again for the same reason adds no entry. */
export function hold(writing: Writing, { state, reason, metric }: Hold): Turn {
  const { rollout, decisions } = writing
  if (rollout.state === state && rollout.reason === reason) return settle(writing)
  const decision: Decision = { ...writing.entry('hold', reason), metric }
  return settle({
    ...writing,
    rollout: { ...rollout, state, reason },
    decisions: [...decisions, decision],
  })
}

/** To the next stage, through its approval if it needs one, or to the end. */
export function goOn(writing: Writing, reason: Reason, isApproved = false): Turn {
  const { plan, rollout } = writing
  const ahead = plan.stages.slice(rollout.stage + 1)
  const [next] = ahead
  const isShipped = reason === 'policy-ship'
  const isGated = (isShipped ? ahead : ahead.slice(0, 1)).some(({ needsApproval }) => needsApproval)
  if (isGated && !isApproved) return hold(writing, { state: 'holding-approval', reason: 'approval-needed' })
  if (next === undefined || completesNext(writing, reason)) return complete(writing, reason)

  const moved: Rollout = {
    ...rollout,
    state: 'running',
    stage: rollout.stage + 1,
    watched: 0,
    reason: undefined,
  }
  const decisions = [...writing.decisions, writing.entry('advance', reason)]
  return settle({ ...writing, rollout: moved, decisions }, { kind: 'stage', weight: next.weight })
}

/** Whether going on ends the rollout. */
export function completesNext({ plan, rollout }: Pick<Writing, 'plan' | 'rollout'>, reason: Reason): boolean {
  const ahead = plan.stages.length - rollout.stage - 1
  return ahead <= 0 || reason === 'policy-ship' || (ahead === 1 && servesEverybody(plan))
}

export function complete(writing: Writing, reason: Reason): Turn {
  const { plan, rollout } = writing
  const last = plan.stages.length - 1
  const at = { ...writing, rollout: { ...rollout, stage: Math.max(last, rollout.stage) } }
  const weight = plan.stages[last]?.weight ?? 0
  const decision = writing.entry('complete', reason)
  return end(at, { state: 'completed', decision, flag: { kind: 'complete', weight } })
}

/** A stage with everyone in the treatment has no control: entering it completes the rollout. */
function servesEverybody({ stages }: RolloutPlan): boolean {
  return stages.at(-1)?.weight === limits.weightTotal
}
