import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { issuesKey, mergeIssues, splitIssue } from '../../api/issues.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { showToast } from '../../ui/overlay/toast.tsx'

interface Merge {
  into: string
  issues: string[]
}

/** Merges issues and splits them again. Both are in the audit log and can be undone from a toast. */
export function useMerging(onDone?: () => void) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: issuesKey(place) })
  const onError = (error: Error) => showToast({ text: toProblem(error).title })

  const mergeAll = async ({ into, issues }: Merge) => {
    for (let from = 0; from < issues.length; from += limits.pageSizeMaximum) {
      await mergeIssues({ ...place, into, issues: issues.slice(from, from + limits.pageSizeMaximum) })
    }
  }
  const splitAll = async ({ into, issues }: Merge) => {
    for (const merged of issues) await splitIssue({ ...place, issue: into, merged })
  }
  const undoing = useMutation({
    mutationFn: ({ merge, isMerged }: { merge: Merge; isMerged: boolean }) =>
      isMerged ? splitAll(merge) : mergeAll(merge),
    onSettled,
    onError,
    onSuccess: () => showToast({ text: 'Undone.' }),
  })
  const merging = useMutation({
    mutationFn: mergeAll,
    onSettled,
    onError,
    onSuccess: (_, merge) => {
      onDone?.()
      const text = `${merge.issues.length + 1} errors merged into one.`
      showToast({ text, undo: () => undoing.mutate({ merge, isMerged: true }) })
    },
  })
  const splitting = useMutation({
    mutationFn: splitAll,
    onSettled,
    onError,
    onSuccess: (_, merge) =>
      showToast({ text: 'Unmerged.', undo: () => undoing.mutate({ merge, isMerged: false }) }),
  })
  return {
    merge: merging.mutate,
    split: splitting.mutate,
    isBusy: merging.isPending || splitting.isPending || undoing.isPending,
  }
}
