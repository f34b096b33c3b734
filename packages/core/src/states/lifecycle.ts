// The stages of a flag between its creation and its removal; `changes/flag-lifecycle.ts` decides which one it is in.

export const lifecycleStates = ['new', 'live', 'rolled-out', 'stale', 'archived'] as const
export type LifecycleState = (typeof lifecycleStates)[number]
