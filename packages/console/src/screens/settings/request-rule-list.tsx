import { limits } from '@telltale/core/limits'
import { useId, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import type { FieldsProps } from './environment-fields.tsx'
import {
  newRequestRow,
  type RequestFaults,
  type RequestRow,
  type RequestRowField,
  requestFaults,
} from './request-rule-draft.ts'

/** Requests whose details replays contain, a group of fields each. Text for those who cannot change them. */
export function RequestRuleList({ values, faults, disabled, onChange }: FieldsProps) {
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const rows = values.requestRules
  const found = requestFaults(rows)
  const isFull = rows.length >= limits.requestRules

  const focusOn = (selector: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus())
  const add = () => {
    const row = newRequestRow(rows)
    onChange({ requestRules: [...rows, row] })
    focusOn(`[data-request="${row.id}"] input`)
  }
  const remove = (removed: RequestRow) => {
    const at = rows.indexOf(removed)
    const next = rows[at + 1] ?? rows[at - 1]
    onChange({ requestRules: rows.filter((row) => row !== removed) })
    focusOn(next === undefined ? '[data-add]' : `[data-request="${next.id}"] [data-remove]`)
  }
  return (
    <fieldset ref={list} aria-describedby={`${id}-note`} className="grid min-w-0 gap-8">
      <legend className="font-medium">Request rules</legend>
      <p id={`${id}-note`} className="text-pretty text-12 text-text-3">
        For matching requests by <code>fetch</code> and <code>XMLHttpRequest</code>, replays contain the
        headers and body fields that you list, of request and response. Browsers receive the rules.
      </p>
      {rows.length === 0 && <p className="text-text-2">No rules. No headers or bodies are recorded.</p>}
      {disabled ? (
        <RulesAsText rows={rows} />
      ) : (
        <>
          {rows.map((row, index) => (
            <RequestFields
              key={row.id}
              row={row}
              number={index + 1}
              faults={faults.requestRules?.[index]}
              found={found[index]}
              onRow={(changed) =>
                onChange({ requestRules: rows.map((each) => (each === row ? changed : each)) })
              }
              onRemove={() => remove(row)}
            />
          ))}
          <div className="flex flex-wrap items-center gap-8">
            <Button data-add="" icon="plus" size="small" disabled={isFull} onClick={add}>
              Add request rule
            </Button>
            {isFull && <span className="text-12 text-text-3">At most {limits.requestRules} rules.</span>}
          </div>
        </>
      )}
    </fieldset>
  )
}

interface RowField {
  field: RequestRowField
  label: string
  placeholder: string
  maxLength?: number
}

const rowFields: readonly RowField[] = [
  { field: 'host', label: 'Host', placeholder: 'api.shop.example', maxLength: 255 },
  { field: 'path', label: 'Path', placeholder: '/api/*', maxLength: limits.requestRulePath },
  { field: 'headers', label: 'Headers', placeholder: 'content-type, x-request-id' },
  { field: 'fields', label: 'Body fields', placeholder: 'total, items.name, or * for all' },
]

type RequestFieldsProps = {
  row: RequestRow
  number: number
  /** Of the last attempt to save. */
  faults: RequestFaults[number] | undefined
  /** As it is typed now: shown once a field was left. */
  found: RequestFaults[number] | undefined
  onRow: (row: RequestRow) => void
  onRemove: () => void
}

function RequestFields({ row, number, faults, found, onRow, onRemove }: RequestFieldsProps) {
  const [left, setLeft] = useState<readonly RequestRowField[]>([])
  return (
    <fieldset
      data-request={row.id}
      className="grid min-w-0 grid-cols-2 gap-x-12 gap-y-8 rounded-control border border-line p-12 max-wide:grid-cols-1"
    >
      <legend className="sr-only">Request rule {number}</legend>
      <div className="col-span-full -mb-4 flex items-center justify-between">
        <span className="text-12 text-text-3">Rule {number}</span>
        <IconButton data-remove="" icon="close" label={`Remove request rule ${number}`} onClick={onRemove} />
      </div>
      {rowFields.map(({ field, label, placeholder, maxLength }) => (
        <Field
          key={field}
          label={label}
          code
          placeholder={placeholder}
          value={row[field]}
          onChange={(event) => onRow({ ...row, [field]: event.currentTarget.value })}
          onBlur={() => setLeft((before) => (row[field].trim() === '' ? before : [...before, field]))}
          maxLength={maxLength}
          fault={faults?.[field] ?? (left.includes(field) ? found?.[field] : undefined)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ))}
    </fieldset>
  )
}

function RulesAsText({ rows }: { rows: readonly RequestRow[] }) {
  if (rows.length === 0) return null
  return (
    <ul className="grid gap-8">
      {rows.map(({ id, host, path, headers, fields }) => (
        <li key={id} className="grid min-w-0 gap-2 [overflow-wrap:anywhere]">
          <code className="whitespace-normal">
            {host}
            {path}
          </code>
          <span className="text-12 text-text-3">
            Headers: {headers || 'none'}. Body fields: {fields || 'none'}.
          </span>
        </li>
      ))}
    </ul>
  )
}
