import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { tryFlag } from '../../../api/flag-configs.ts'
import { toProblem } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Combobox } from '../../../ui/form/combobox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { JsonEditor } from '../../../ui/form/json-editor.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { Draft } from './draft.ts'
import { findTraits, IdentityField } from './identity-field.tsx'
import { useTargeting } from './targeting-context.ts'
import { TrialAnswer } from './trial-answer.tsx'
import { type ContextField, contextOf, fieldsOf, parseContext } from './try-context.ts'

const forms = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const
const states = [
  { value: 'draft', label: 'Draft' },
  { value: 'saved', label: 'Saved' },
] as const

type TryItProps = { draft: Draft; saved: Draft; isDirty: boolean }

/** Evaluates the flag on the server for a given context. With changes: as if they were saved. */
export function TryIt({ draft, saved, isDirty }: TryItProps) {
  const { place } = useTargeting()
  const client = useQueryClient()
  const [form, setForm] = useState<'form' | 'json'>('form')
  const [targetingKey, setTargetingKey] = useState('')
  const [fields, setFields] = useState<ContextField[]>([])
  const [json, setJson] = useState('')
  const [wanted, setWanted] = useState<'draft' | 'saved'>('draft')
  const state = isDirty ? wanted : 'saved'
  const trial = useMutation({ mutationFn: tryFlag })
  const context = form === 'form' ? contextOf(targetingKey, fields) : parseContext(json)
  const problem = trial.error && toProblem(trial.error)
  const requested = trial.variables
  const [triedSaved, setTriedSaved] = useState(saved)
  const isOld =
    requested !== undefined &&
    (triedSaved !== saved || requested.draft !== (state === 'draft' ? draft : undefined))

  function show(next: 'form' | 'json') {
    if (next === 'json') setJson(JSON.stringify(contextOf(targetingKey, fields), null, 2))
    const parsed = next === 'form' ? parseContext(json) : undefined
    if (parsed) {
      const read = fieldsOf(parsed)
      setTargetingKey(read.targetingKey)
      setFields(read.fields)
    }
    setForm(next)
  }

  async function submit() {
    if (!context) return
    const isBare = form === 'form' && fields.length === 0
    const traits = isBare ? await findTraits(client, place, targetingKey) : undefined
    const found = traits === undefined ? [] : fieldsOf(traits).fields
    if (found.length > 0) setFields(found)
    const given = found.length > 0 ? contextOf(targetingKey, found) : context
    setTriedSaved(saved)
    trial.mutate({ place, context: given, draft: state === 'draft' ? draft : undefined })
  }

  return (
    <Panel title="Try it" note={state === 'draft' ? 'uses unsaved changes' : 'uses the saved version'}>
      <form
        className="grid gap-10"
        noValidate
        // Undo in these fields is the browser's, not the draft's.
        onKeyDown={(event) => event.key.toLowerCase() === 'z' && event.stopPropagation()}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="flex flex-wrap gap-8">
          <Segmented label="Context input" choices={forms} value={form} onValue={show} />
          {isDirty && <Segmented label="Version" choices={states} value={wanted} onValue={setWanted} />}
        </div>
        {form === 'form' ? (
          <>
            <IdentityField
              targetingKey={targetingKey}
              onTargetingKey={setTargetingKey}
              onTraits={(traits) => setFields(fieldsOf(traits).fields)}
            />
            <ContextFields fields={fields} onFields={setFields} />
          </>
        ) : (
          <JsonEditor
            label="Context"
            value={json}
            onValue={setJson}
            fault={
              context ? undefined : 'The context must be a JSON object, such as {"targetingKey": "u_1"}.'
            }
          />
        )}
        <div>
          <Button type="submit" busy={trial.isPending} disabled={!context}>
            Try it
          </Button>
        </div>
      </form>
      <div aria-live="polite" className="grid gap-8 empty:hidden">
        {problem && (
          <div className="pt-10">
            <Notice
              title={requested?.draft ? 'Fix the draft to try it' : problem.title}
              detail={
                problem.errors.length > 0
                  ? problem.errors.map(({ message }) => message).join(' ')
                  : problem.detail
              }
              requestId={problem.requestId}
            />
          </div>
        )}
        {trial.data && (
          <div className={`pt-12 ${isOld ? 'opacity-60' : ''}`}>
            <TrialAnswer tried={trial.data} rules={(requested?.draft ? draft : saved).rules} />
            <p className="pt-8 text-12 text-text-3">
              {requested?.draft ? 'With unsaved changes.' : 'As saved.'}
              {isOld && ' The draft or context has changed. Try again.'}
            </p>
          </div>
        )}
      </div>
    </Panel>
  )
}

type ContextFieldsProps = { fields: readonly ContextField[]; onFields: (fields: ContextField[]) => void }

function ContextFields({ fields, onFields }: ContextFieldsProps) {
  const { attributes } = useTargeting()
  const set = (index: number, change: Partial<ContextField>) =>
    onFields(fields.map((field, at) => (at === index ? { ...field, ...change } : field)))

  return (
    <>
      {fields.map((field, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: their index identifies them.
          key={index}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_24px] items-start gap-6"
        >
          <legend className="sr-only">Attribute {index + 1}</legend>
          <Combobox
            label="Attribute"
            hideLabel
            code
            placeholder="Attribute"
            suggestions={attributes}
            maxLength={limits.attributeLength}
            value={field.name}
            onValue={(name) => set(index, { name })}
          />
          <Field
            label="Value"
            hideLabel
            placeholder="Value"
            autoComplete="off"
            value={field.text}
            onChange={(event) => set(index, { text: event.currentTarget.value })}
          />
          <IconButton
            icon="close"
            small
            label={`Remove attribute ${index + 1}`}
            onClick={() => onFields(fields.filter((_, at) => at !== index))}
          />
        </fieldset>
      ))}
      <div>
        <Button
          size="small"
          look="quiet"
          icon="plus"
          onClick={() => onFields([...fields, { name: '', text: '' }])}
        >
          Attribute
        </Button>
      </div>
    </>
  )
}
