import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { keyOf } from '../../ui/key-of.ts'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { parseVariations, startingLines, type ValueType } from './parse-variations.ts'
import { useFlagCreation } from './use-flag-creation.ts'

const types: readonly { value: ValueType; label: string }[] = [
  { value: 'boolean', label: 'On or off' },
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'json', label: 'JSON' },
]
const keyRule = 'Use small letters, digits, dot, hyphen and underscore; begin with a letter or digit.'

/** What the flag is and what it can be. Who gets what is given on the flag's own screen; until then it is off. */
export function NewFlag({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [typedKey, setTypedKey] = useState<string>()
  const [description, setDescription] = useState('')
  const [valueType, setValueType] = useState<ValueType>('boolean')
  const [lines, setLines] = useState('')
  const [isVisible, setVisible] = useState(true)
  const [isChecked, setChecked] = useState(false)
  const creation = useFlagCreation(project)
  const key = typedKey ?? keyOf(name)
  const parsed = parseVariations(valueType, lines)
  const { problem, isTaken } = creation
  const keyFault = isChecked && !isKey(key) ? keyRule : undefined

  /** Another draft: what was refused is no longer said. */
  function edit<Value>(set: (value: Value) => void, value: Value) {
    set(value)
    creation.begin()
  }

  function submit() {
    setChecked(true)
    if (name.trim() === '' || !isKey(key) || 'fault' in parsed) return
    creation.create({
      key,
      name: name.trim(),
      description: description.trim(),
      valueType,
      clientVisible: isVisible,
      ...(valueType === 'boolean' ? {} : { variations: parsed.variations }),
    })
  }

  return (
    <Dialog
      title="New flag"
      description="It starts switched off in every environment."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={creation.isPending}>
            Create the flag
          </Button>
        </>
      }
    >
      {problem && <Notice title={problem.title} detail={problem.detail} requestId={problem.requestId} />}
      <Field
        label="Name"
        value={name}
        onChange={(event) => edit(setName, event.currentTarget.value)}
        maxLength={limits.nameLength}
        fault={isChecked && name.trim() === '' ? 'Enter a name.' : undefined}
        autoComplete="off"
        autoFocus
      />
      <Field
        label="Key"
        code
        value={key}
        onChange={(event) => edit(setTypedKey, event.currentTarget.value)}
        maxLength={limits.keyLength}
        hint="The application asks for it. It never changes."
        fault={keyFault ?? (isTaken ? 'A flag with this key exists. Choose another one.' : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ValueFields
        valueType={valueType}
        onValueType={(next) => {
          edit(setValueType, next)
          setLines(startingLines[next])
        }}
        lines={lines}
        onLines={(next) => edit(setLines, next)}
        fault={isChecked && 'fault' in parsed ? parsed.fault : undefined}
      />
      <TextArea
        label="Description (optional)"
        value={description}
        onChange={(event) => edit(setDescription, event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
      />
      <Checkbox
        label="Browsers may evaluate it"
        hint="Otherwise only servers, with their own key."
        checked={isVisible}
        onChecked={(next) => edit(setVisible, next)}
      />
    </Dialog>
  )
}

interface ValueFieldsProps {
  valueType: ValueType
  onValueType: (valueType: ValueType) => void
  lines: string
  onLines: (lines: string) => void
  fault: string | undefined
}

function ValueFields({ valueType, onValueType, lines, onLines, fault }: ValueFieldsProps) {
  return (
    <>
      <Select label="Kind of value" options={types} value={valueType} onValue={onValueType} />
      {valueType !== 'boolean' && (
        <TextArea
          label="Variations"
          value={lines}
          onChange={(event) => onLines(event.currentTarget.value)}
          hint="One on each line: its key, an equals sign, its value."
          fault={fault}
          rows={4}
          spellCheck={false}
        />
      )}
    </>
  )
}
