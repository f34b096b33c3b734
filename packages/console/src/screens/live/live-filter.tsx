import { type Chip, type Filter, parseFilter, printChip, printFilter } from '@telltale/core/telemetry/filter'
import { filterFields } from '@telltale/core/telemetry/filter-fields'
import { useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Facet } from '../../ui/filter-bar.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { kindText } from './event-text.ts'

type LiveFilterProps = {
  filter: Filter
  onFilter: (filter: Filter) => void
  /** What the server says against it. */
  fault: string | undefined
}

const kinds = filterFields.kind.choices.map((value) => ({ value, label: kindText(value) }))

/** The filter as chips: each is edited by opening it, and goes with its cross or with backspace in the empty field. */
export function LiveFilter({ filter, onFilter, fault }: LiveFilterProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<string>()
  useShortcut({ keys: '/', label: 'Filter', run: () => field.current?.focus() })
  const parts = partsOf(withKinds(filter, []))
  const message = refusal ?? fault

  function add() {
    const parsed = parseFilter(typed)
    if (!parsed.ok) return setRefusal(parsed.faults[0]?.message)
    setTyped('')
    setRefusal(undefined)
    if (typed.trim() === '') return
    const { chips, words } = parsed.result
    onFilter({ chips: [...filter.chips, ...chips], words: [...filter.words, ...words] })
  }
  function remove(index: number) {
    onFilter(withKinds(withoutPart(withKinds(filter, []), index), kindsOf(filter)))
    field.current?.focus()
  }
  function edit(index: number) {
    setTyped(parts[index] ?? '')
    remove(index)
  }

  return (
    <search className="grid gap-6">
      <div className="flex flex-wrap items-center gap-8">
        <Facet
          label="Kind"
          values={kinds}
          chosen={kindsOf(filter)}
          onChosen={(chosen) => onFilter(withKinds(filter, chosen))}
        />
        {parts.map((part, index) => (
          <span
            key={part}
            className="inline-flex h-ctl min-w-0 max-w-full items-center rounded-control bg-accent-soft pl-8"
          >
            <button
              type="button"
              title={`Edit ${part}`}
              onClick={() => edit(index)}
              onKeyDown={({ key }) => {
                if (key === 'Backspace' || key === 'Delete') remove(index)
              }}
              className="h-full min-w-0 cursor-pointer truncate font-code text-12"
            >
              {part}
            </button>
            <IconButton icon="close" label={`Remove ${part}`} small onClick={() => remove(index)} />
          </span>
        ))}
        <SearchField
          ref={field}
          label="Filter: error:~card, flag:checkout=new, page:/cart, words"
          keyCap="/"
          className="min-w-menu max-w-form flex-1 max-wide:basis-full"
          value={typed}
          aria-invalid={message === undefined ? undefined : true}
          aria-describedby={message === undefined ? undefined : 'live-filter-fault'}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setRefusal(undefined)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add()
            else if (event.key === 'Backspace' && typed === '' && parts.length > 0) remove(parts.length - 1)
            else if (event.key === 'Escape' && typed === '') field.current?.blur()
            else if (event.key === 'Escape') setTyped('')
          }}
        />
      </div>
      {message !== undefined && (
        <p id="live-filter-fault" role="alert" className="text-12 text-bad">
          {message}
        </p>
      )}
    </search>
  )
}

/** Each chip and each word as it is written. The kinds have a menu of their own. */
function partsOf({ chips, words }: Filter): string[] {
  return [...chips.map(printChip), ...words.map((word) => printFilter({ chips: [], words: [word] }))]
}

function withoutPart({ chips, words }: Filter, index: number): Filter {
  return {
    chips: chips.filter((_, at) => at !== index),
    words: words.filter((_, at) => at + chips.length !== index),
  }
}

const isKind = ({ field, isNegated, operator }: Chip) => field === 'kind' && !isNegated && operator === 'is'
const kindsOf = ({ chips }: Filter) => chips.find(isKind)?.values ?? []

function withKinds({ chips, words }: Filter, values: readonly string[]): Filter {
  const others = chips.filter((chip) => !isKind(chip))
  const chip: Chip = { field: 'kind', key: '', isNegated: false, operator: 'is', values }
  return { chips: values.length === 0 ? others : [chip, ...others], words }
}
