// The one table of what may happen to a change request, and what becomes of it. Applied, declined and withdrawn are
// final; what nobody listed here is not possible.

export type ChangeRequestState = 'open' | 'approved' | 'conflicted' | 'applied' | 'declined' | 'withdrawn'

export type ChangeRequestAction =
  | 'update'
  | 'approve'
  | 'decline'
  | 'withdraw'
  | 'apply'
  /** The version that it started from is no longer the saved one. */
  | 'conflict'
  | 'rebase'
  /** Its time came, and it could not be applied: it waits for somebody to do it by hand. */
  | 'miss'

/** An update and a rebase void the approval: what was approved is no longer what is proposed. */
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

/** The state after an action; undefined when it is not possible. */
export function changeRequestAfter(
  state: ChangeRequestState,
  action: ChangeRequestAction,
): ChangeRequestState | undefined {
  return transitions[state][action]
}

/** Whether something can still happen to it. */
export function isUndecided(state: ChangeRequestState): boolean {
  return Object.keys(transitions[state]).length > 0
}
