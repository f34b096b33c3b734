import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../shell/scope-context.ts'

/** What changes a change request: afterwards everything of the project is asked for again. */
export function useChanging<Asked>(change: (asked: Asked) => Promise<unknown>, onDone: () => void) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: onDone,
    // Also after a refusal: somebody else was probably faster.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', project] }),
  })
}
