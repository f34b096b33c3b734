import { type FieldRef, printField } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { type KeyboardEvent, useId, useState } from 'react'
import { buttonClass } from '../button.tsx'
import { SearchField } from '../form/field.tsx'
import { Icon } from '../icon.tsx'
import { Popover } from '../overlay/popover.tsx'
import { type FieldOption, useFieldOptions } from './field-options.ts'
import { fieldLabel } from './field-words.ts'
import type { LoadValues } from './use-filter-suggestions.ts'

type FieldPickerProps = {
  /** `Broken down by`. */
  label: string
  value: FieldRef | undefined
  /** The label of the button without a field. */
  placeholder: string
  onValue: (value: FieldRef | undefined) => void
  /** The selectable fields; `flag` and `attr` represent those with keys. */
  fields: readonly FieldName[]
  /** Suggests flag keys. */
  loadValues?: LoadValues | undefined
  /** Offers an empty choice. */
  none?: string
}

/** A button with the current field, and a list of all fields with their descriptions. */
export function FieldPicker(props: FieldPickerProps) {
  const { label, value, placeholder, onValue, fields, loadValues, none } = props
  const [isOpen, setOpen] = useState(false)
  const text = value === undefined ? placeholder : fieldLabel(value)

  function take(next: FieldRef | undefined) {
    setOpen(false)
    onValue(next)
  }

  return (
    <Popover
      label={label}
      open={isOpen}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${text}`}
          className={`${buttonClass()} min-w-0 max-w-full ${value ? 'border-transparent! bg-accent-soft!' : ''}`}
        >
          <span className="max-w-[32ch] truncate">{text}</span>
          <Icon name="down" className="size-16 shrink-0 text-text-2" />
        </button>
      }
    >
      <Options label={label} fields={fields} loadValues={loadValues} none={none} onTake={take} />
    </Popover>
  )
}

type OptionsProps = {
  label: string
  fields: readonly FieldName[]
  loadValues: LoadValues | undefined
  none: string | undefined
  onTake: (field: FieldRef | undefined) => void
}

function Options({ label, fields, loadValues, none, onTake }: OptionsProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = useFieldOptions(typed, { fields, loadValues })
  const options: readonly (FieldOption | undefined)[] =
    none === undefined || typed !== '' ? found : [undefined, ...found]

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      setAt((at + step + options.length) % options.length)
    } else if (event.key === 'Enter' && at < options.length) {
      event.preventDefault()
      onTake(options[at]?.ref)
    }
  }

  return (
    <div className="grid w-[min(320px,80vw)] gap-8">
      <SearchField
        label="Search fields and flags"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={at < options.length ? `${id}-${at}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        tabIndex={0}
        className="max-h-[320px] overflow-y-auto"
      >
        {options.map((option, index) => (
          <div
            key={option === undefined ? 'none' : printField(option.ref)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setAt(index)}
            onClick={() => onTake(option?.ref)}
            onKeyDown={onKeyDown}
            className="grid min-h-ctl cursor-pointer content-center rounded-control px-8 py-4 aria-selected:bg-hover"
          >
            <span className="truncate">{option === undefined ? none : fieldLabel(option.ref)}</span>
            {option?.note && <span className="truncate text-12 text-text-3">{option.note}</span>}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="px-8 text-text-3">No matching fields.</p>}
    </div>
  )
}
