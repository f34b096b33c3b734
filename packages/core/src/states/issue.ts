// The transitions of an error issue. It is resolved in the version that ran at that time: clients that still run that
// version or an older one may keep failing, and an occurrence in a later version reopens it as regressed.

export type IssueState = 'unresolved' | 'resolved' | 'regressed' | 'ignored'
export type IssueAction = 'resolve' | 'ignore' | 'reopen' | 'regress'

const transitions: Record<IssueState, Partial<Record<IssueAction, IssueState>>> = {
  unresolved: { resolve: 'resolved', ignore: 'ignored' },
  regressed: { resolve: 'resolved', ignore: 'ignored', reopen: 'unresolved' },
  resolved: { reopen: 'unresolved', regress: 'regressed' },
  ignored: { reopen: 'unresolved' },
}

/** The state after an action; undefined if the action is not possible. */
export function issueAfter(state: IssueState, action: IssueAction): IssueState | undefined {
  return transitions[state][action]
}

/** When an issue was resolved, and the versions that may keep failing: the one at that time and all earlier ones. */
export interface Resolution {
  at: Date
  tolerated: readonly string[]
}

/** Whether an occurrence makes a resolved issue regressed. Without versions, the time decides. */
export function isRegression({ at, tolerated }: Resolution, seen: { version: string; at: Date }): boolean {
  return seen.version === '' ? seen.at > at : !tolerated.includes(seen.version)
}
