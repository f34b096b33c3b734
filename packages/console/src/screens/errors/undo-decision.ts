import type { Issue, IssueDecision } from '../../api/issues.ts'

type Decided = Pick<Issue, 'id' | 'state' | 'assignee' | 'ignoredUntil'>

/** What takes a decision back, for issues as they were before it. Those that need the same stand together. */
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

/** What came back is only open afterwards: nobody can say of it that it comes back from a version. */
function backOf({ state, assignee, ignoredUntil }: Decided, decision: IssueDecision): IssueDecision {
  const assigned = decision.assignee === undefined ? {} : { assignee: assignee?.id ?? null }
  if (decision.state === undefined || decision.state === state) return assigned
  if (state === 'resolved') return { ...assigned, state }
  if (state === 'ignored') return { ...assigned, state, ...(ignoredUntil === null ? {} : { ignoredUntil }) }
  return { ...assigned, state: 'unresolved' }
}
