// The states of a guarded rollout and the transitions between them. No caller can make any other transition.

export const rolloutStates = [
  'draft',
  'running',
  'holding-undecided',
  'holding-blind',
  'holding-split-wrong',
  'holding-approval',
  'paused',
  'rolled-back',
  'completed',
  'cancelled',
] as const
export type RolloutState = (typeof rolloutStates)[number]

const ends = ['rolled-back', 'completed', 'cancelled'] as const
const holds = ['holding-undecided', 'holding-blind', 'holding-split-wrong', 'holding-approval'] as const

const transitions: Record<RolloutState, readonly RolloutState[]> = {
  draft: ['running', 'cancelled'],
  running: [...holds, 'paused', ...ends],
  // One reason to hold can replace another.
  'holding-undecided': ['running', ...holds, ...ends],
  'holding-blind': ['running', ...holds, 'rolled-back'],
  // Ended by a restart with new evidence, a rollback, or a user who continues although users are missing.
  'holding-split-wrong': ['running', 'holding-approval', 'rolled-back', 'completed'],
  'holding-approval': ['running', ...holds, 'rolled-back', 'completed'],
  paused: ['running', 'rolled-back', 'cancelled'],
  'rolled-back': [],
  completed: [],
  cancelled: [],
}

export function canFollow(before: RolloutState, after: RolloutState): boolean {
  return before === after || transitions[before].includes(after)
}

export function hasEnded(state: RolloutState): boolean {
  return transitions[state].length === 0
}
