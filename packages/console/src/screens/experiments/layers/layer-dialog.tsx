import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { createLayer, type Layer, layersQuery, updateLayer } from '../../../api/layers.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { NameAndKeyFields } from '../../../ui/form/name-and-key-fields.tsx'
import { useNameAndKey } from '../../../ui/form/use-name-and-key.ts'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'

type LayerDialogProps = { layer: Layer | undefined; onClose: () => void }

/** Creates a layer, or changes its name and description. */
export function LayerDialog({ layer, onClose }: LayerDialogProps) {
  return layer === undefined ? (
    <NewLayer onClose={onClose} />
  ) : (
    <ChangeLayer layer={layer} onClose={onClose} />
  )
}

function NewLayer({ onClose }: { onClose: () => void }) {
  const { project } = useScope()
  const [by, setBy] = useState('targetingKey')
  const [description, setDescription] = useState('')
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const reset = () => {
    setKey(newIdempotencyKey())
    saving.reset()
  }
  const { draft, check, fields } = useNameAndKey(() => reset())
  const saving = useSaved(
    () =>
      createLayer({
        project,
        draft: { ...draft, by: by.trim() || 'targetingKey', description: description.trim() },
        idempotencyKey,
      }),
    onClose,
  )
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists') ?? false
  return (
    <Dialog
      title="New layer"
      description="Its experiments never share a user."
      onClose={onClose}
      onSubmit={() => check() && !saving.isPending && saving.mutate()}
      footer={<FormButtons verb="Create layer" busy={saving.isPending} onCancel={onClose} />}
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <NameAndKeyFields
        {...fields}
        hint="Shown in explanations of evaluations. Cannot be changed later."
        taken={isTaken ? 'A layer with this key exists. Choose another one.' : undefined}
      />
      <Field
        label="Divides by"
        code
        value={by}
        onChange={({ currentTarget }) => {
          setBy(currentTarget.value)
          reset()
        }}
        hint="The attribute that the splits of its experiments use. Cannot be changed later."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Description text={description} onText={setDescription} />
    </Dialog>
  )
}

function ChangeLayer({ layer, onClose }: { layer: Layer; onClose: () => void }) {
  const { project } = useScope()
  const [name, setName] = useState(layer.name)
  const [description, setDescription] = useState(layer.description)
  const [isChecked, setChecked] = useState(false)
  const fault = name.trim() === '' ? 'Enter a name.' : undefined
  const saving = useSaved(
    () =>
      updateLayer({
        project,
        layer: layer.key,
        change: { name: name.trim(), description: description.trim() },
      }),
    onClose,
  )
  function submit() {
    setChecked(true)
    if (fault === undefined && !saving.isPending) saving.mutate()
  }
  return (
    <Dialog
      title={`Change ${layer.name}`}
      description="How it divides users never changes."
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Save" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <Field
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={limits.nameLength}
        fault={isChecked ? fault : undefined}
        autoComplete="off"
        autoFocus
      />
      <Description text={description} onText={setDescription} />
    </Dialog>
  )
}

function Description({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <TextArea
      label="Description (optional)"
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      maxLength={limits.descriptionLength}
      rows={2}
    />
  )
}

function useSaved(save: () => Promise<Layer>, onClose: () => void) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: layersQuery(project).queryKey })
      onClose()
    },
  })
}
