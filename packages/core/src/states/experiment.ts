// The states of an experiment: drafted, counted, and decided.

export const experimentStates = ['draft', 'running', 'ended'] as const
export type ExperimentState = (typeof experimentStates)[number]
