import { limits } from '@telltale/core/limits'
import type { ValueType } from '../../../api/flags.ts'
import type { Fault } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { JsonEditor } from '../../../ui/form/json-editor.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { faultAt, newVariation, type VariationForm, withKey } from './flag-form.ts'

type VariationFieldsProps = {
  valueType: ValueType
  variations: readonly VariationForm[]
  onVariations: (variations: VariationForm[]) => void
  faults: readonly Fault[]
  disabled?: boolean
}

/** The variations of the flag. Those of a boolean flag are fixed; only their names are editable. */
export function VariationFields(props: VariationFieldsProps) {
  const { valueType, variations, onVariations, faults, disabled = false } = props
  const isFixed = valueType === 'boolean'
  const whole = faults.find(({ pointer }) => pointer === '/variations')?.message

  function edit(id: number, part: Partial<VariationForm>) {
    onVariations(variations.map((one) => (one.id === id ? { ...one, ...part } : one)))
  }

  return (
    <fieldset className="grid min-w-0 gap-8">
      <legend className="pb-8 font-medium">Variations</legend>
      {whole && <p className="text-12 text-bad">{whole}</p>}
      {variations.map((variation, order) => (
        <VariationRow
          key={variation.id}
          order={order}
          variation={variation}
          valueType={valueType}
          faults={faults}
          disabled={disabled}
          onEdit={(part) => edit(variation.id, part)}
          onRemove={
            isFixed || variations.length === 1
              ? undefined
              : () => onVariations(variations.filter(({ id }) => id !== variation.id))
          }
        />
      ))}
      {!isFixed && !disabled && variations.length < limits.variationsPerFlag && (
        <div>
          <Button icon="plus" onClick={() => onVariations([...variations, newVariation()])}>
            Variation
          </Button>
        </div>
      )}
    </fieldset>
  )
}

type VariationRowProps = {
  order: number
  variation: VariationForm
  valueType: ValueType
  faults: readonly Fault[]
  disabled: boolean
  onEdit: (part: Partial<VariationForm>) => void
  onRemove: (() => void) | undefined
}

function VariationRow(props: VariationRowProps) {
  const { order, variation, valueType, faults, disabled, onEdit, onRemove } = props
  const at = `/variations/${order}`
  const name = variation.key || `variation ${order + 1}`
  const isFixed = valueType === 'boolean'

  return (
    <fieldset className="grid min-w-0 gap-8 rounded-control border border-line bg-canvas p-10">
      <legend className="sr-only">{name}</legend>
      <div className="flex min-w-0 items-center gap-8">
        <span className="min-w-0 flex-1">
          <Variation order={order} label={name} isKey />
        </span>
        {isFixed && <code className="text-12 text-text-2">{variation.text}</code>}
        {order === 0 && <span className="text-12 text-text-3">control</span>}
        {onRemove && !disabled && (
          <IconButton icon="trash" label={`Remove ${name}`} small onClick={onRemove} />
        )}
      </div>
      <div className={`grid min-w-0 gap-8 ${isFixed ? '' : 'wide:grid-cols-2'}`}>
        {!isFixed && (
          <Field
            label="Key"
            code
            value={variation.key}
            onChange={(event) => onEdit(withKey(variation, valueType, event.currentTarget.value))}
            readOnly={variation.isSaved || disabled}
            maxLength={limits.keyLength}
            fault={faultAt(faults, `${at}/key`)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <Field
          label="Name (optional)"
          value={variation.name}
          onChange={(event) => onEdit({ name: event.currentTarget.value })}
          readOnly={disabled}
          maxLength={limits.nameLength}
          fault={faultAt(faults, `${at}/name`)}
          autoComplete="off"
        />
      </div>
      {!isFixed && (
        <ValueField
          valueType={valueType}
          disabled={disabled}
          name={name}
          text={variation.text}
          onText={(text) => onEdit({ text })}
          fault={faultAt(faults, `${at}/value`)}
        />
      )}
    </fieldset>
  )
}

type ValueFieldProps = {
  valueType: ValueType
  name: string
  text: string
  onText: (text: string) => void
  fault: string | undefined
  disabled: boolean
}

function ValueField({ valueType, name, text, onText, fault, disabled }: ValueFieldProps) {
  if (valueType === 'json') {
    return (
      <JsonEditor
        label={`Value of ${name}`}
        value={text}
        onValue={onText}
        fault={fault}
        readOnly={disabled}
      />
    )
  }
  if (valueType === 'number') {
    return (
      <Field
        label="Value"
        inputMode="decimal"
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        readOnly={disabled}
        fault={fault}
        autoComplete="off"
      />
    )
  }
  return (
    <TextArea
      label="Value"
      rows={1}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      readOnly={disabled}
      fault={fault}
    />
  )
}
