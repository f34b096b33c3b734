import { type ReactNode, useId, useState } from 'react'
import { inputClass } from './field.tsx'

interface NumberFieldProps {
  label: string
  /** `NaN` while the input is invalid. */
  value: number
  onValue: (value: number) => void
  /** `NaN` if invalid. */
  parse: (text: string) => number
  format: (value: number) => string
  isFaulty: boolean
  describedBy?: string | undefined
  /** After it. */
  unit?: ReactNode
  width?: string
  disabled?: boolean
}

/** A number in a row of others, with a label for screen readers only. Keeps the text as typed, including `33.`. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, onValue, parse, format, isFaulty, describedBy, unit, width = 'w-[12ch]' } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const text = Object.is(parse(typed), value) ? typed : Number.isNaN(value) ? '' : format(value)

  return (
    <span className={`flex items-center gap-6 ${width}`}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        className={`h-ctl text-right tabular-nums ${inputClass}`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        aria-invalid={isFaulty || undefined}
        aria-describedby={describedBy}
        disabled={props.disabled}
        value={text}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onValue(parse(event.currentTarget.value))
        }}
      />
      {unit && <span className="shrink-0 text-text-2">{unit}</span>}
    </span>
  )
}
