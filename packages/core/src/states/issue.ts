// What may become of an error issue. It is resolved in the version that people ran when somebody said so: clients that
// still run that one or an older one go on failing, and a later one brings it back.

export type IssueState = 'unresolved' | 'resolved' | 'regressed' | 'ignored'
export type IssueAction = 'resolve' | 'ignore' | 'reopen' | 'regress'

const transitions: Record<IssueState, Partial<Record<IssueAction, IssueState>>> = {
  unresolved: { resolve: 'resolved', ignore: 'ignored' },
  regressed: { resolve: 'resolved', ignore: 'ignored', reopen: 'unresolved' },
  resolved: { reopen: 'unresolved', regress: 'regressed' },
  ignored: { reopen: 'unresolved' },
}

/** The state after an action; undefined when it is not possible. */
export function issueAfter(state: IssueState, action: IssueAction): IssueState | undefined {
  return transitions[state][action]
}

/** When an issue was resolved, and the versions that may go on failing: that one and all before it. */
export interface Resolution {
  at: Date
  tolerated: readonly string[]
}

/** Whether an error that was seen brings a resolved issue back. Without versions, the time decides. */
export function isRegression({ at, tolerated }: Resolution, seen: { version: string; at: Date }): boolean {
  return seen.version === '' ? seen.at > at : !tolerated.includes(seen.version)
}
