import { useMutation, useQueryClient } from '@tanstack/react-query'
import { identitiesKey } from '../../api/identities.ts'
import { deleteOverride, putOverride } from '../../api/overrides.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { showToast } from '../../ui/overlay/toast.tsx'

interface OverrideChange {
  readonly flag: string
  /** Undefined removes the override. */
  readonly variation: string | undefined
  /** The previous override, for undo. */
  readonly before: string | undefined
}

/** Sets, changes and removes overrides of one identity. Each can be undone. */
export function useOverrides(targetingKey: string) {
  const { project, environment } = useScope()
  const queryClient = useQueryClient()
  const place = { project, env: environment.key }

  async function write({ flag, variation }: OverrideChange): Promise<void> {
    const at = { ...place, flag, targetingKey }
    if (variation === undefined) await deleteOverride(at)
    else await putOverride({ place: at, variation })
  }
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: [...identitiesKey(place), 'one', targetingKey] })

  async function undo({ flag, variation, before }: OverrideChange): Promise<void> {
    try {
      await write({ flag, variation: before, before: variation })
      showToast({ text: `${flag} restored.` })
    } catch (error) {
      showToast({ text: `Could not restore ${flag}. ${toProblem(error).title}.` })
    }
    await refresh()
  }

  return useMutation({
    mutationFn: write,
    onSuccess: async (_, change) => {
      const { flag, variation } = change
      showToast({
        text:
          variation === undefined
            ? `${flag}: override removed.`
            : `${flag}: ${variation} from the next evaluation.`,
        undo: () => void undo(change),
      })
      await refresh()
    },
  })
}
