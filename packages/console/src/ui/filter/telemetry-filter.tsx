import { type Filter, parseFilter, printChip, printFilter } from '@telltale/core/query/filter'
import {
  type FieldName,
  fieldDefinition,
  filterFields,
  isFieldName,
} from '@telltale/core/query/filter-fields'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import { FilterField } from './filter-field.tsx'
import type { LoadValues } from './use-filter-suggestions.ts'

type TelemetryFilterProps = {
  /** Names examples: `Filter: page:/cart, flag:checkout=new, words`. */
  label: string
  filter: Filter
  onFilter: (filter: Filter) => void
  /** The server's error about the filter. */
  fault?: string | undefined
  /** The suggested fields; all others are still accepted. Default: all fields. */
  fields?: readonly FieldName[]
  loadValues?: LoadValues
  /** Chips of these fields are rendered elsewhere. */
  hidden?: (chip: Filter['chips'][number]) => boolean
  /** As a form field: enter does not submit, and typed text is accepted on blur. */
  inForm?: boolean
  /** Facets in front, buttons behind. */
  before?: ReactNode
  after?: ReactNode
}

/** Fields of spans and log records are suggested only where these are filtered. */
const allFields = Object.keys(filterFields)
  .filter(isFieldName)
  .filter((name) => fieldDefinition(name).of === undefined)

/** The filter as chips: each opens for editing, and is removed by its cross or by backspace in the empty field. */
export function TelemetryFilter(props: TelemetryFilterProps) {
  const { filter, onFilter, hidden = () => false } = props
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const id = useId()
  const kept = filter.chips.filter(hidden)
  const shown = { chips: filter.chips.filter((chip) => !hidden(chip)), words: filter.words }
  const parts = partsOf(shown)
  const message = refusal ?? props.fault

  function type(text: string) {
    setTyped(text)
    setRefusal(undefined)
  }
  function add(text: string) {
    const parsed = parseFilter(text)
    if (!parsed.ok) return setRefusal(parsed.faults[0]?.message)
    type('')
    if (text.trim() === '') return
    const { chips, words } = parsed.result
    onFilter({ chips: [...filter.chips, ...chips], words: [...filter.words, ...words] })
  }
  function remove(index: number) {
    const rest = withoutPart(shown, index)
    onFilter({ chips: [...kept, ...rest.chips], words: rest.words })
    field.current?.focus()
  }

  return (
    <search
      className="grid min-w-0 gap-6"
      {...(props.inForm && {
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) event.preventDefault()
        },
        onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
          if (typed !== '' && !currentTarget.contains(relatedTarget)) add(typed)
        },
      })}
    >
      <div className="flex flex-wrap items-center gap-8">
        {props.before}
        {parts.map((part, index) => (
          <FilterChip
            key={part}
            part={part}
            onEdit={() => {
              type(part)
              remove(index)
            }}
            onRemove={() => remove(index)}
          />
        ))}
        <FilterField
          ref={field}
          label={props.label}
          faultId={message === undefined ? undefined : `${id}-fault`}
          sources={{ fields: props.fields ?? allFields, loadValues: props.loadValues }}
          typed={typed}
          onType={type}
          onAdd={add}
          onBackspace={() => parts.length > 0 && remove(parts.length - 1)}
        />
        {props.after}
      </div>
      {message !== undefined && (
        <p id={`${id}-fault`} role="alert" className="text-12 text-bad">
          {message}
        </p>
      )}
    </search>
  )
}

function FilterChip({ part, onEdit, onRemove }: { part: string; onEdit: () => void; onRemove: () => void }) {
  return (
    <span className="inline-flex h-ctl min-w-0 max-w-full items-center rounded-control bg-accent-soft pl-8">
      <button
        type="button"
        title={`Edit ${part}`}
        onClick={onEdit}
        onKeyDown={({ key }) => {
          if (key === 'Backspace' || key === 'Delete') onRemove()
        }}
        className="h-full min-w-0 cursor-pointer truncate font-code text-12"
      >
        {part}
      </button>
      <IconButton icon="close" label={`Remove ${part}`} small onClick={onRemove} />
    </span>
  )
}

/** Each chip and each word in its source syntax. */
function partsOf({ chips, words }: Filter): string[] {
  return [...chips.map(printChip), ...words.map((word) => printFilter({ chips: [], words: [word] }))]
}

function withoutPart({ chips, words }: Filter, index: number): Filter {
  return {
    chips: chips.filter((_, at) => at !== index),
    words: words.filter((_, at) => at + chips.length !== index),
  }
}
