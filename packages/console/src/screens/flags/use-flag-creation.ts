import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createFlag, type FlagDraft, flagsKey } from '../../api/flags.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'

/** Creates a flag once, however often a draft is sent, and goes to it. */
export function useFlagCreation(project: string) {
  // The same for every try of one draft: a double click, or a second try after silence, makes one flag.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const creation = useMutation({
    mutationFn: createFlag,
    onSuccess: async (flag) => {
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
      await navigate({
        to: '/p/$project/flags/$flag/$tab',
        params: { project, flag: flag.key, tab: 'targeting' },
        replace: true,
      })
    },
  })
  const problem = creation.error && toProblem(creation.error)
  const isTaken = problem?.is('already-exists') ?? false

  return {
    isTaken,
    problem: isTaken ? undefined : problem,
    isPending: creation.isPending,
    create(draft: FlagDraft) {
      if (!creation.isPending) creation.mutate({ project, draft, idempotencyKey })
    },
    /** The draft is another one now: what was refused is no longer said. */
    begin() {
      setIdempotencyKey(newIdempotencyKey())
      creation.reset()
    },
  }
}
