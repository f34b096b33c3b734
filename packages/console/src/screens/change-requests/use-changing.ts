import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../shell/scope-context.ts'

/** Changes a change request, then invalidates all queries of the project. */
export function useChanging<Input>(change: (requested: Input) => Promise<unknown>, onDone: () => void) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: onDone,
    // Also after a refusal: another member was probably faster.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', project] }),
  })
}
