import type { FieldRef } from '@telltale/core/query/filter'
import { type FieldName, fieldDefinition } from '@telltale/core/query/filter-fields'
import { useEffect, useRef, useState } from 'react'
import { fieldNotes } from './field-notes.ts'
import type { LoadValues } from './use-filter-suggestions.ts'

export interface FieldOption {
  readonly ref: FieldRef
  readonly note: string
}

interface Sources {
  fields: readonly FieldName[]
  loadValues: LoadValues | undefined
}

const settledAfter = 150

/** Fields whose name, label or description contains the typed text; flags by key; an attribute by its exact name. */
export function useFieldOptions(typed: string, { fields, loadValues }: Sources): readonly FieldOption[] {
  const hasFlags = fields.includes('flag')
  const keys = useFlagKeys(typed.trim(), hasFlags ? loadValues : undefined)
  const wanted = typed.trim().toLowerCase()
  const plain = fields
    .filter((field) => fieldDefinition(field).isKeyed !== true)
    .map((field): FieldOption => ({ ref: { field, key: '' }, note: fieldNotes[field] }))
    .filter(({ ref, note }) =>
      `${ref.field} ${fieldDefinition(ref.field).label} ${note}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => Number(b.ref.field.startsWith(wanted)) - Number(a.ref.field.startsWith(wanted)))
  const flags = keys.map((key): FieldOption => ({ ref: { field: 'flag', key }, note: fieldNotes.flag }))
  const isName = fields.includes('attr') && /^[\w.-]{1,100}$/.test(typed.trim())
  const attributes: FieldOption[] = isName
    ? [{ ref: { field: 'attr', key: typed.trim() }, note: fieldNotes.attr }]
    : []
  return [...plain, ...flags, ...attributes]
}

function useFlagKeys(typed: string, loadValues: LoadValues | undefined): readonly string[] {
  const [keys, setKeys] = useState<readonly string[]>([])
  const load = useRef(loadValues)
  load.current = loadValues
  useEffect(() => {
    const closing = new AbortController()
    const timer = setTimeout(() => {
      load
        .current?.('flag', typed, closing.signal)
        .then((found) => {
          if (!closing.signal.aborted) setKeys(found.map(({ value }) => value))
        })
        // The other fields can be chosen without them.
        .catch(() => setKeys([]))
    }, settledAfter)
    return () => {
      closing.abort()
      clearTimeout(timer)
    }
  }, [typed])
  return keys
}
