import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toProblem } from '../../../api/problem.ts'

/** A change of the account's second factors. `then` gets its reply once the screen shows the new state. */
export function useFactorChange<Input, Reply>(
  change: (input: Input) => Promise<Reply>,
  then: (reply: Reply) => void,
) {
  const queryClient = useQueryClient()
  const mutation = useMutation({
    mutationFn: change,
    meta: { asksForPassword: true },
    onSuccess: async (reply) => {
      // The account names what is missing, and its sessions may have ended.
      await queryClient.invalidateQueries({ queryKey: ['account'] })
      then(reply)
    },
  })
  const problem = mutation.error && toProblem(mutation.error)
  const faultAt = (pointer: string) => problem?.errors.find((fault) => fault.pointer === pointer)?.message
  return { run: mutation.mutate, isPending: mutation.isPending, problem, faultAt, reset: mutation.reset }
}
