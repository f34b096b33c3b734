import { Link } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { Switch } from '../../ui/form/choice.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ColourField } from './colour-field.tsx'
import type { EnvironmentValues, FieldFaults, ListField, NumberField } from './environment-draft.ts'
import { ReplayDetailsFields } from './replay-details-fields.tsx'
import { ReplayPrivacyFields } from './replay-privacy-fields.tsx'

export type FieldsProps = {
  /** Key of the environment. */
  env: string
  values: EnvironmentValues
  faults: FieldFaults
  disabled: boolean
  onChange: (part: Partial<EnvironmentValues>) => void
}

const approvalCounts = Array.from({ length: limits.approvalsAtMost }, (_, index) => ({
  value: String(index + 1),
  label: index === 0 ? '1 approval' : `${index + 1} approvals`,
}))

const timeZones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }))

export function EnvironmentFields(props: FieldsProps) {
  const { values, faults, disabled, onChange } = props
  return (
    <>
      <Panel title="Environment">
        <div className="grid max-w-form gap-16">
          <Field
            label="Name"
            value={values.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
            maxLength={limits.nameLength}
            fault={faults.name}
            disabled={disabled}
            autoComplete="off"
          />
          <ColourField value={values.colour} onValue={(colour) => onChange({ colour })} disabled={disabled} />
          {disabled ? (
            <Field label="Time zone" value={values.timeZone} disabled />
          ) : (
            <Combobox
              label="Time zone"
              hint="Used for times and day boundaries of this environment."
              suggestions={timeZones}
              value={values.timeZone}
              onValue={(timeZone) => onChange({ timeZone })}
              fault={faults.timeZone}
            />
          )}
          <Switch
            label="Protected"
            hint="Changes require the role maintainer."
            checked={values.protected}
            onChecked={(isOn) => onChange({ protected: isOn, ...(isOn ? {} : { approvalRequired: false }) })}
            disabled={disabled}
          />
          <Switch
            label="Approval required"
            hint={
              values.protected
                ? 'Changes also require approval by other members.'
                : 'Only for protected environments: changes also require approval by other members.'
            }
            checked={values.approvalRequired}
            onChecked={(approvalRequired) => onChange({ approvalRequired })}
            disabled={disabled || !values.protected}
          />
          {values.approvalRequired && (
            <>
              <Select
                label="Approvals"
                hint="How many members must approve each change. Never its author."
                options={approvalCounts}
                value={String(values.approvals)}
                onValue={(count) => onChange({ approvals: Number(count) })}
                disabled={disabled}
              />
              <Switch
                label="Approval by an owner"
                hint="One of them must be an owner of the flag, if it has one besides the author."
                checked={values.ownerApproval}
                onChecked={(ownerApproval) => onChange({ ownerApproval })}
                disabled={disabled}
              />
            </>
          )}
          <Lines
            {...props}
            field="allowedOrigins"
            label="Allowed origins"
            hint="Origins that may use client keys, one per line: https://shop.example, or https://*.shop.example for every subdomain. If empty, all origins."
          />
        </div>
      </Panel>
      <DataFields {...props} />
      <ReplayPrivacyFields {...props} />
      <ReplayDetailsFields {...props} />
    </>
  )
}

/** What is recorded, and what is never recorded. */
function DataFields(props: FieldsProps) {
  const { values, disabled, onChange } = props
  return (
    <Panel title="Data and privacy">
      <div className="grid max-w-form gap-16">
        <div className="grid gap-12 wide:grid-cols-3">
          <NumberInput {...props} field="sessionShare" label="Record sessions" unit="% of sessions" />
          <NumberInput {...props} field="replayShare" label="Record replays" unit="% of sessions" />
          <NumberInput {...props} field="profileShare" label="Record profiles" unit="% of sessions" />
        </div>
        <Switch
          label="Recording orders"
          hint="Records more sessions where a running rollout, a suspected split or a fresh issue lacks replays and profiles, and fewer elsewhere. A day stores as much as without orders."
          checked={values.recordingOrders}
          onChecked={(recordingOrders) => onChange({ recordingOrders })}
          disabled={disabled}
        />
        <p className="text-pretty text-text-2">
          Set retention in{' '}
          <Link to="/p/$project/settings/data" from="/p/$project" className="underline">
            Retention and privacy
          </Link>
          .
        </p>
        <Switch
          label="A/A test"
          hint="Splits users into hidden, identical halves, newly assigned every week, and measures how often the guard still reports a difference. No flag or page is affected. Storage is about that of one split flag evaluated by all users."
          checked={values.aaTest}
          onChecked={(aaTest) => onChange({ aaTest })}
          disabled={disabled}
        />
        <Lines
          {...props}
          field="privateTraits"
          label="Private traits"
          hint="Used to evaluate flags, never stored with an identity. One per line."
        />
        <Lines
          {...props}
          field="sensitiveTraits"
          label="Sensitive traits"
          hint="Stored, but visible to maintainers and admins only. One per line."
        />
      </div>
    </Panel>
  )
}

function NumberInput(props: FieldsProps & { field: NumberField; label: string; unit: string }) {
  const { values, faults, disabled, onChange, field, label, unit } = props
  return (
    <Field
      label={label}
      hint={unit}
      inputMode="decimal"
      value={values[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      fault={faults[field]}
      disabled={disabled}
      autoComplete="off"
    />
  )
}

function Lines(props: FieldsProps & { field: ListField; label: string; hint: string }) {
  const { values, faults, disabled, onChange, field, label, hint } = props
  return (
    <TextArea
      label={label}
      hint={hint}
      code
      rows={2}
      value={values[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      fault={faults[field]}
      disabled={disabled}
      spellCheck={false}
      autoCapitalize="none"
    />
  )
}
