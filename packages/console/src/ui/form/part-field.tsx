import { parseFilter, printFilter } from '@telltale/core/query/filter'
import { useState } from 'react'
import { Field } from './field.tsx'

type PartFieldProps = { part: string | undefined; onPart: (part: string | undefined) => void }

/** The condition of a share. Applied when it is valid, on enter or on blur. */
export function PartField({ part = '', onPart }: PartFieldProps) {
  const [typed, setTyped] = useState(part)
  const [fault, setFault] = useState<string>()

  function commit() {
    const parsed = parseFilter(typed)
    if (!parsed.ok) return setFault(parsed.faults[0]?.message)
    const next = printFilter(parsed.result)
    if (next !== part) onPart(next || undefined)
  }

  return (
    <span className="w-[32ch] max-w-full">
      <Field
        label="Filter of the share"
        hideLabel
        code
        placeholder="failed:true"
        autoFocus={part === ''}
        value={typed}
        fault={fault}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setFault(undefined)
        }}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
        }}
      />
    </span>
  )
}
