// The single table of transitions of a change request. Applied, declined and withdrawn are final; transitions that
// are not listed are impossible.

export const changeRequestStates = [
  'open',
  'approved',
  'conflicted',
  'applied',
  'declined',
  'withdrawn',
] as const
export type ChangeRequestState = (typeof changeRequestStates)[number]

export type ChangeRequestAction =
  | 'update'
  | 'approve'
  | 'decline'
  | 'withdraw'
  | 'apply'
  /** The saved version is no longer the one that it is based on. */
  | 'conflict'
  | 'rebase'
  /** Its scheduled time passed and it could not be applied: it waits to be applied manually. */
  | 'miss'

/**
 * Updates and rebases void the approvals, because the proposed content is no longer the approved one. `approve` is an
 * approval that completes those that are needed; one of several leaves the state as it is.
 */
const transitions: Record<ChangeRequestState, Partial<Record<ChangeRequestAction, ChangeRequestState>>> = {
  open: {
    update: 'open',
    approve: 'approved',
    decline: 'declined',
    withdraw: 'withdrawn',
    conflict: 'conflicted',
  },
  approved: {
    update: 'open',
    approve: 'approved',
    decline: 'declined',
    withdraw: 'withdrawn',
    conflict: 'conflicted',
    apply: 'applied',
    miss: 'approved',
  },
  conflicted: { rebase: 'open', decline: 'declined', withdraw: 'withdrawn' },
  applied: {},
  declined: {},
  withdrawn: {},
}

/** The state after an action; undefined if the action is not possible. */
export function changeRequestAfter(
  state: ChangeRequestState,
  action: ChangeRequestAction,
): ChangeRequestState | undefined {
  return transitions[state][action]
}
