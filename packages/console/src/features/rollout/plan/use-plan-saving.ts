import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConfigRef } from '../../../api/flag-configs.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import {
  actOnRollout,
  createRollout,
  type RolloutDetail,
  type RolloutDraft,
  updateRollout,
} from '../../../api/rollouts.ts'

interface Saving {
  at: ConfigRef
  /** The edited draft. */
  draft: Pick<RolloutDetail, 'id' | 'turn'> | undefined
  onDone: (rollout: RolloutDetail, isStarted: boolean) => void
}

/**
 * Saves the draft, and starts it if requested. If the start is refused, the draft is kept and updated on the
 * next attempt.
 */
export function usePlanSaving({ at, draft, onDone }: Saving) {
  const queryClient = useQueryClient()
  const [saved, setSaved] = useState(draft)
  const [keys, setKeys] = useState(newKeys)
  const saving = useMutation({
    mutationFn: async ({ plan: given, isStarted }: { plan: RolloutDraft; isStarted: boolean }) => {
      const { project } = at
      // Fixed when the draft is created.
      const { proves, ...plan } = given
      const rollout = saved
        ? await updateRollout({ project, rollout: saved.id, turn: saved.turn, draft: plan })
        : await createRollout({
            place: at,
            draft: { ...plan, ...(proves !== undefined && { proves }) },
            idempotencyKey: keys.create,
          })
      setSaved({ id: rollout.id, turn: rollout.turn })
      if (!isStarted) return rollout
      const { id, turn } = rollout
      const action = { action: 'start', comment: plan.reason ?? '', idempotencyKey: keys.start } as const
      return actOnRollout({ project, rollout: id, turn, ...action })
    },
    onSuccess: (rollout, { isStarted }) => onDone(rollout, isStarted),
    onSettled: () => {
      setKeys(newKeys())
      return queryClient.invalidateQueries({
        queryKey: ['projects', at.project],
        predicate: ({ queryKey }) => queryKey[3] !== 'proposal',
      })
    },
  })
  return {
    save: saving.mutate,
    isSaving: saving.isPending,
    error: saving.error,
    forget: saving.reset,
    /** The draft exists already. */
    isKept: saved !== undefined,
    adopt: setSaved,
  }
}

const newKeys = () => ({ create: newIdempotencyKey(), start: newIdempotencyKey() })
