import { limits } from '@telltale/core/limits'
import { type FormEvent, useRef, useState } from 'react'
import type { DescribedFlag } from '../../../api/flags.ts'
import type { Problem } from '../../../api/problem.ts'
import { type Owner, useOwners } from '../../../features/people/use-owners.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { DiffView } from '../../../ui/diff/diff-view.tsx'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { focusFault } from '../../../ui/form/focus-fault.ts'
import { JsonEditor } from '../../../ui/form/json-editor.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { AboutFields } from '../form/about-fields.tsx'
import { changeOf, type FlagForm, faultAt, findFaults } from '../form/flag-form.ts'
import { VariationFields } from '../form/variation-fields.tsx'
import { formText, SettingsReview } from './settings-review.tsx'
import { useSettings } from './use-settings.ts'

export function SettingsForm({ flag }: { flag: DescribedFlag }) {
  const { project } = useScope()
  const owners = useOwners(project)
  const mayChange = useMay('flags.change')
  const settings = useSettings(project, flag)
  const { base, form, theirs, problem, edit } = settings
  const [isChecked, setChecked] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const body = useRef<HTMLFormElement>(null)
  const found = findFaults(form)
  const faults = [...(isChecked ? found : []), ...(problem?.errors ?? [])]
  const disabled = !mayChange || flag.managed
  const ownersName = (id: string) =>
    owners.find((one) => one.id === id)?.name ?? 'not a member of the project'

  function submit() {
    setChecked(true)
    if (found.length > 0) return focusFault(body)
    if (!settings.isDirty || settings.isSaving || disabled || theirs) return
    if (!reaches(base, form)) return settings.save()
    settings.forget()
    setReviewing(true)
  }
  useShortcut(
    settings.isDirty && !disabled ? { keys: 'mod+s', label: 'Save', run: submit, always: true } : undefined,
  )
  // A saved form is done; a refusal is shown in the form.
  if (isReviewing && !settings.isSaving && (problem || !settings.isDirty)) {
    setReviewing(false)
    focusFault(body)
  }

  return (
    <form
      ref={body}
      noValidate
      className="grid min-w-0 gap-16"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <MayNotice permission="flags.change" />
      {flag.managed && (
        <Notice
          tone="plain"
          title="Managed by the setup file"
          detail="This flag is defined in the setup file of the installation. Change it there; it is applied at the next start."
        />
      )}
      {theirs && (
        <Conflict
          before={formText(base, ownersName)}
          after={formText(theirs, ownersName)}
          onKeep={settings.keepBoth}
          onDiscard={settings.discard}
        />
      )}
      {problem && !problem.is('version-conflict') && <Refused problem={problem} />}
      <AboutPanel
        project={project}
        form={form}
        edit={edit}
        owners={owners}
        faults={faults}
        disabled={disabled}
      />
      <ValuesPanel form={form} edit={edit} faults={faults} disabled={disabled} />
      <UnsavedChanges
        isDirty={settings.isDirty && !disabled}
        busy={settings.isSaving}
        verb={reaches(base, form) ? 'Review changes' : 'Save settings'}
        onDiscard={() => {
          settings.discard()
          setChecked(false)
        }}
      />
      {isReviewing && (
        <SettingsReview
          flag={flag}
          before={formText(base, ownersName)}
          after={formText(form, ownersName)}
          isShownAnew={base.clientVisible !== form.clientVisible}
          busy={settings.isSaving}
          onConfirm={settings.save}
          onClose={() => setReviewing(false)}
        />
      )}
    </form>
  )
}

function Refused({ problem }: { problem: Problem }) {
  return (
    <Notice
      title={problem.is('in-use') ? 'A variation you removed is in use' : problem.title}
      detail={problem.detail}
      requestId={problem.requestId}
    />
  )
}

type PanelProps = {
  form: FlagForm
  edit: (change: Partial<FlagForm>) => void
  faults: readonly { pointer: string; message: string }[]
  disabled: boolean
}

type AboutPanelProps = PanelProps & { project: string; owners: readonly Owner[] }

function AboutPanel({ project, form, edit, owners, faults, disabled }: AboutPanelProps) {
  return (
    <Panel title="About">
      <div className="grid max-w-form gap-16">
        <Field
          label="Name"
          value={form.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          maxLength={limits.nameLength}
          fault={faultAt(faults, '/name')}
          disabled={disabled}
          autoComplete="off"
        />
        <TextArea
          label="Description (optional)"
          value={form.description}
          onChange={(event) => edit({ description: event.currentTarget.value })}
          maxLength={limits.descriptionLength}
          fault={faultAt(faults, '/description')}
          disabled={disabled}
        />
        <AboutFields
          project={project}
          form={form}
          owners={owners}
          faults={faults}
          disabled={disabled}
          onForm={edit}
        />
      </div>
    </Panel>
  )
}

function ValuesPanel({ form, edit, faults, disabled }: PanelProps) {
  return (
    <Panel title="Values" note="the same in every environment">
      <div className="grid min-w-0 gap-16">
        <VariationFields
          valueType={form.valueType}
          variations={form.variations}
          onVariations={(variations) => edit({ variations })}
          faults={faults}
          disabled={disabled}
        />
        {form.valueType !== 'boolean' && (
          <SchemaField
            value={form.schema}
            onValue={(schema) => edit({ schema })}
            fault={faultAt(faults, '/valueSchema')}
            disabled={disabled}
          />
        )}
      </div>
    </Panel>
  )
}

type SchemaFieldProps = {
  value: string
  onValue: (value: string) => void
  fault: string | undefined
  disabled: boolean
}

const firstSchema = `{
  "type": "object",
  "required": []
}`

/** Most flags have none, so it is added on demand instead of shown empty. */
function SchemaField({ value, onValue, fault, disabled }: SchemaFieldProps) {
  if (value.trim() === '') {
    return (
      <div className="flex flex-wrap items-center gap-12">
        <p className="min-w-0 flex-1 text-12 text-text-3">
          A JSON Schema prevents saving values that applications cannot read.
        </p>
        <Button icon="plus" disabled={disabled} onClick={() => onValue(firstSchema)}>
          JSON Schema
        </Button>
      </div>
    )
  }
  return (
    <div className="grid gap-8">
      <JsonEditor
        label="JSON Schema for all values"
        value={value}
        onValue={onValue}
        fault={fault}
        readOnly={disabled}
      />
      {!disabled && (
        <div>
          <Button icon="trash" size="small" onClick={() => onValue('')}>
            Remove schema
          </Button>
        </div>
      )}
    </div>
  )
}

type ConflictProps = { before: string; after: string; onKeep: () => void; onDiscard: () => void }

function Conflict({ before, after, onKeep, onDiscard }: ConflictProps) {
  return (
    <Notice
      title="Someone else saved first"
      detail={
        <div className="grid min-w-0 gap-8 pt-4">
          <p>What they changed:</p>
          <DiffView before={before} after={after} label="What someone else changed" />
          <p>Your input is still here. Where both changed the same field, yours is kept.</p>
          <div className="flex flex-wrap gap-8">
            <Button onClick={onKeep}>Merge</Button>
            <Button onClick={onDiscard}>Discard mine</Button>
          </div>
        </div>
      }
    />
  )
}

/** Whether users may get something else: values of served variations, or visibility in browsers. */
function reaches(before: FlagForm, after: FlagForm): boolean {
  if (findFaults(after).length > 0) return false
  const change = changeOf(before, after)
  return change.variations !== undefined || change.clientVisible !== undefined
}
