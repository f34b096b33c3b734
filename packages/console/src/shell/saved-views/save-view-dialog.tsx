import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import {
  createSavedView,
  type SavedView,
  savedViewsQuery,
  updateSavedView,
  type ViewScreen,
} from '../../api/saved-views.ts'
import { Checkbox } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { useMay } from '../account.ts'

type SaveViewDialogProps = {
  place: { project: string; screen: ViewScreen; search: string }
  /** The view to change; undefined for a new one. */
  view: SavedView | undefined
  onSaved: (view: SavedView) => void
  onClose: () => void
}

export function SaveViewDialog({ place, view, onSaved, onClose }: SaveViewDialogProps) {
  const { project, screen, search } = place
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const mayShare = useMay('flags.change')
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      view
        ? updateSavedView({ project, savedView: view.id, change: { name: name.trim(), shared } })
        : createSavedView({ project, draft: { screen, name: name.trim(), search, shared }, idempotencyKey }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: savedViewsQuery(project).queryKey })
      onSaved(saved)
      onClose()
    },
  })
  const fault = isChecked && name.trim() === '' ? 'Give the view a name.' : undefined

  return (
    <Dialog
      title={view ? 'Rename or share the view' : 'Save as new view'}
      description="Filters, order and time range of this screen."
      onClose={onClose}
      onSubmit={() => {
        setChecked(true)
        if (name.trim() !== '' && !saving.isPending) saving.mutate()
      }}
      footer={<FormButtons verb="Save view" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <Field
        label="Name"
        value={name}
        maxLength={limits.nameLength}
        fault={fault}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        label="Share with the project"
        hint={mayShare ? 'All members see it; editors change it.' : 'Read-only: editors share views.'}
        checked={shared}
        disabled={!mayShare}
        onChecked={setShared}
      />
    </Dialog>
  )
}
