import { useState } from 'react'
import { Field } from '../form/field.tsx'
import { numberOf } from './operators.ts'

type NumberInputProps = {
  label: string
  value: number
  onValue: (value: number) => void
  fault?: string | undefined
  /** After the number: `%`. */
  unit?: string
}

/** Keeps the text as typed, including `1.` and `1e`; the listener gets a number, or `NaN`. */
export function NumberInput({ label, value, onValue, fault, unit }: NumberInputProps) {
  const [typed, setTyped] = useState('')
  const text = Object.is(numberOf(typed), value) ? typed : Number.isNaN(value) ? '' : String(value)

  return (
    <span className="flex min-w-0 flex-1 items-start gap-6 *:first:flex-1">
      <Field
        label={label}
        hideLabel
        placeholder="Number"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        fault={fault}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onValue(numberOf(event.currentTarget.value))
        }}
      />
      {unit && <span className="pt-6 text-text-2">{unit}</span>}
    </span>
  )
}
