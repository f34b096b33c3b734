import type { Issue, IssueDecision } from '../../api/issues.ts'

type Decided = Pick<Issue, 'id' | 'state' | 'assignee' | 'ignoredUntil'>

/** The calls that undo a decision, from the state of the issues before it. Issues with the same call are grouped. */
export function undoOf(
  issues: readonly Decided[],
  decision: IssueDecision,
): { decision: IssueDecision; issues: string[] }[] {
  const steps = new Map<string, { decision: IssueDecision; issues: string[] }>()
  for (const issue of issues) {
    const back = backOf(issue, decision)
    const key = JSON.stringify(back)
    const step = steps.get(key)
    if (step) step.issues.push(issue.id)
    else if (key !== '{}') steps.set(key, { decision: back, issues: [issue.id] })
  }
  return [...steps.values()]
}

/** A regressed issue is only reopened: the release it regressed in cannot be restored. */
function backOf({ state, assignee, ignoredUntil }: Decided, decision: IssueDecision): IssueDecision {
  const assigned = decision.assignee === undefined ? {} : { assignee: assignee?.id ?? null }
  if (decision.state === undefined || decision.state === state) return assigned
  if (state === 'resolved') return { ...assigned, state }
  if (state === 'ignored') return { ...assigned, state, ...(ignoredUntil === null ? {} : { ignoredUntil }) }
  return { ...assigned, state: 'unresolved' }
}
