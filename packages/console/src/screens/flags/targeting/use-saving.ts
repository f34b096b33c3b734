import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type ConfigRef,
  configKey,
  flagConfigQuery,
  type SavedConfig,
  type SaveOutcome,
  saveFlagConfig,
} from '../../../api/flag-configs.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { type Problem, toProblem } from '../../../api/problem.ts'
import { endingEvidence } from '../../../features/rollout/ending-evidence.ts'
import type { Draft } from './draft.ts'
import { byRuleId, type DraftFault } from './faults.ts'

export interface Refused {
  readonly problem: Problem
  /** At the parts of the sent draft. */
  readonly faults: readonly DraftFault[]
  readonly sent: Draft
}

interface Saving {
  place: ConfigRef
  onSaved: (outcome: SaveOutcome) => void
  /** Another member saved first: the version that is saved now. */
  onConflict: (current: SavedConfig) => void
  /** The sent draft is invalid. */
  onRefused: (refused: Refused) => void
}

/**
 * Saves a draft on top of its base version. Retries use the same idempotency key, so a repeated request changes
 * nothing.
 */
export function useSaving({ place, onSaved, onConflict, onRefused }: Saving) {
  const queryClient = useQueryClient()
  const keyOf = useKeyPerBody()
  const [problem, setProblem] = useState<Problem | null>(null)
  const saving = useMutation({
    mutationFn: (requested: { draft: Draft; version: number; reason: string }) =>
      endingEvidence(saveFlagConfig)({
        place,
        ...requested,
        idempotencyKey: keyOf(JSON.stringify(requested)),
      }),
    onMutate: () => setProblem(null),
    onSuccess: async (outcome) => {
      if (outcome.kind === 'saved') {
        queryClient.setQueryData(flagConfigQuery(place).queryKey, outcome.config)
      }
      onSaved(outcome)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['projects', place.project, 'flags'] }),
        queryClient.invalidateQueries({ queryKey: configKey(place) }),
      ])
    },
    onError: (error, { draft }) => {
      const found = toProblem(error)
      if (found.is('version-conflict') && isSavedConfig(found.current)) onConflict(found.current)
      else if (found.errors.length > 0)
        onRefused({ problem: found, faults: byRuleId(found.errors, draft), sent: draft })
      else setProblem(found)
    },
  })
  return { save: saving.mutate, isSaving: saving.isPending, problem, forget: () => setProblem(null) }
}

function useKeyPerBody() {
  const last = useRef({ body: '', key: '' })
  return (body: string): string => {
    if (last.current.body !== body) last.current = { body, key: newIdempotencyKey() }
    return last.current.key
  }
}

/** The server sends the response it would have given; anything else is not a configuration. */
function isSavedConfig(value: unknown): value is SavedConfig {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    'rules' in value &&
    Array.isArray(value.rules) &&
    'fallthrough' in value
  )
}
