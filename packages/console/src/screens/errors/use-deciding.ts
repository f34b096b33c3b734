import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { changeIssue, changeIssues, type Issue, type IssueDecision, issuesKey } from '../../api/issues.ts'
import { type Problem, toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { showToast } from '../../ui/overlay/toast.tsx'
import { titleOf } from './issue-words.ts'
import { undoOf } from './undo-decision.ts'

export type Decidable = Pick<Issue, 'id' | 'type' | 'message' | 'state' | 'assignee' | 'ignoredUntil'>

export interface Deciding {
  /** `done` completes the toast: `resolved`, `ignored for a week`. */
  decide(issues: readonly Decidable[], decision: IssueDecision, done: string): void
  readonly isBusy: boolean
  readonly problem: Problem | undefined
}

interface DecisionRequest {
  issues: readonly Decidable[]
  decision: IssueDecision
  done: string
}

const titleShown = 60

/** Decides about one or more issues. Each decision is in the audit log and can be undone from a toast. */
export function useDeciding(onDone?: () => void): Deciding {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: issuesKey(place) })

  /** The reasons of the refused ones. */
  async function apply(issues: readonly string[], decision: IssueDecision): Promise<string[]> {
    const [first] = issues
    if (first !== undefined && issues.length === 1) {
      await changeIssue({ ...place, issue: first, decision })
      return []
    }
    const refused: string[] = []
    for (let from = 0; from < issues.length; from += limits.pageSizeMaximum) {
      const some = issues.slice(from, from + limits.pageSizeMaximum)
      const reply = await changeIssues({ ...place, issues: some, decision })
      refused.push(...reply.refused.map(({ message }) => message))
    }
    return refused
  }

  const undoing = useMutation({
    mutationFn: async ({ issues, decision }: DecisionRequest) => {
      for (const step of undoOf(issues, decision)) await apply(step.issues, step.decision)
    },
    onSettled: refresh,
    onSuccess: () => showToast({ text: 'Undone.' }),
    onError: (error) => showToast({ text: `Could not be undone. ${toProblem(error).title}.` }),
  })
  const deciding = useMutation({
    mutationFn: ({ issues, decision }: DecisionRequest) =>
      apply(
        issues.map(({ id }) => id),
        decision,
      ),
    onSettled: refresh,
    onSuccess: (refused, requested) => {
      onDone?.()
      const kept = refused.length === 0 ? '' : ` ${refused.length} unchanged: ${refused[0]}.`
      const undo =
        undoOf(requested.issues, requested.decision).length > 0
          ? { undo: () => undoing.mutate(requested) }
          : {}
      showToast({ text: `${subjectOf(requested.issues)} ${requested.done}.${kept}`, ...undo })
    },
  })

  return {
    decide: (issues, decision, done) => deciding.mutate({ issues, decision, done }),
    isBusy: deciding.isPending || undoing.isPending,
    problem: deciding.error ? toProblem(deciding.error) : undefined,
  }
}

/** `TypeError: r.map is not a function is`, `12 errors are` */
function subjectOf(issues: readonly Decidable[]): string {
  const [only] = issues
  if (only === undefined || issues.length > 1) return `${issues.length} errors are`
  const title = titleOf(only)
  return `${title.length > titleShown ? `${title.slice(0, titleShown)}…` : title} is`
}
