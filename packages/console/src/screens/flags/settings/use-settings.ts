import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DescribedFlag, flagsKey, type SavedFlag, updateFlag } from '../../../api/flags.ts'
import { toProblem } from '../../../api/problem.ts'
import { endingEvidence } from '../../../features/rollout/ending-evidence.ts'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { changeOf, type FlagForm, formOf, isEdited, rebased } from '../form/flag-form.ts'

const saveFlag = endingEvidence(updateFlag)

interface Base {
  readonly version: number
  readonly form: FlagForm
}

/** The edited settings on top of the saved ones. Updates by other members are applied while nothing is edited. */
export function useSettings(project: string, flag: DescribedFlag) {
  const [base, setBase] = useState<Base>(() => baseOf(flag))
  const [form, setForm] = useState(base.form)
  const queryClient = useQueryClient()
  const isDirty = isEdited(base.form, form)
  const isBehind = flag.version > base.version
  const saving = useMutation({
    mutationFn: saveFlag,
    onSuccess: async (saved) => {
      startFrom(saved)
      showToast({ text: `Settings of ${saved.key} saved.` })
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
    },
    onError: async (error) => {
      // The version saved by the other member is needed for the diff.
      if (toProblem(error).is('version-conflict')) {
        await queryClient.invalidateQueries({ queryKey: [...flagsKey(project), flag.key], exact: true })
      }
    },
  })

  function startFrom(saved: SavedFlag) {
    const next = baseOf(saved)
    setBase(next)
    setForm(next.form)
  }
  if (isBehind && !isDirty && !saving.isPending) startFrom(flag)

  return {
    base: base.form,
    form,
    isDirty,
    /** The version another member saved during editing. */
    theirs: isBehind && isDirty && !saving.isPending ? formOf(flag) : undefined,
    problem: saving.error && toProblem(saving.error),
    isSaving: saving.isPending,
    edit: (change: Partial<FlagForm>) => {
      setForm({ ...form, ...change })
      saving.reset()
    },
    save: () =>
      saving.mutate({ project, flag: flag.key, change: changeOf(base.form, form), version: base.version }),
    discard: () => {
      startFrom(flag)
      saving.reset()
    },
    /** My edits rebased on theirs. */
    keepBoth: () => {
      setForm(rebased(base.form, form, formOf(flag)))
      setBase(baseOf(flag))
      saving.reset()
    },
    forget: () => saving.reset(),
  }
}

function baseOf(flag: SavedFlag): Base {
  return { version: flag.version, form: formOf(flag) }
}
