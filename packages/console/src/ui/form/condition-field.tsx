import { parseFilter, printFilter } from '@telltale/core/query/filter'
import { useState } from 'react'
import { Field } from './field.tsx'

type ConditionFieldProps = {
  label: string
  text: string
  onText: (text: string) => void
  placeholder: string
  /** Empty is an answer too: the default. */
  mayBeEmpty?: boolean
  autoFocus?: boolean
}

/** A filter over events as text. Applied when it is valid, on enter or on blur. Remount it for another text. */
export function ConditionField(props: ConditionFieldProps) {
  const { label, text, onText, placeholder, mayBeEmpty = false, autoFocus } = props
  const [typed, setTyped] = useState(text)
  const [fault, setFault] = useState<string>()

  function commit() {
    const parsed = parseFilter(typed)
    if (!parsed.ok) return setFault(parsed.faults[0]?.message)
    const next = printFilter(parsed.result)
    if (next === '' && !mayBeEmpty) return text === '' ? undefined : setFault('Choose an event')
    if (next !== text) onText(next)
  }

  return (
    <Field
      label={label}
      hideLabel
      code
      placeholder={placeholder}
      autoFocus={autoFocus}
      value={typed}
      fault={fault}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setFault(undefined)
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // In a dialog, it would submit the form as well.
        event.preventDefault()
        commit()
      }}
    />
  )
}
