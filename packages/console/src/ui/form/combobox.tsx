import { type KeyboardEvent, useRef, useState } from 'react'
import { FieldFrame, inputClass } from './field.tsx'
import { type Suggestion, SuggestionList } from './suggestion-list.tsx'

type ComboboxProps = {
  label: string
  hideLabel?: boolean
  hint?: string
  fault?: string | undefined
  placeholder?: string
  suggestions: readonly Suggestion[]
  value: string
  onValue: (value: string) => void
  /** A suggestion was accepted, or enter was pressed in free text. */
  onCommit?: (value: string) => void
  code?: boolean
  maxLength?: number
}

const shownAtMost = 50

/** A field with suggestions. Free text is accepted; forms that require a listed value validate it on saving. */
export function Combobox(props: ComboboxProps) {
  const { label, hideLabel, hint, fault, suggestions, value, onValue, onCommit, code, ...input } = props
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const wanted = value.trim().toLowerCase()
  const shown = suggestions
    .filter((one) => `${one.value} ${one.note ?? ''}`.toLowerCase().includes(wanted))
    .slice(0, shownAtMost)

  function take(chosen: string) {
    onValue(chosen)
    onCommit?.(chosen)
    setOpen(false)
    setAt(-1)
  }

  // After the focus has arrived: a dialog's focus trap intercepts it when an element is removed at the same
  // time.
  function closeLater() {
    setTimeout(() => document.activeElement !== field.current && setOpen(false))
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length > 0) {
      event.preventDefault()
      setOpen(true)
      setAt((at + step + shown.length) % shown.length)
    } else if (event.key === 'Enter' && (shown[at] || onCommit)) {
      event.preventDefault()
      take(isOpen && shown[at] ? shown[at].value : value)
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      setOpen(false)
    }
  }

  return (
    <FieldFrame label={label} hideLabel={hideLabel ?? false} hint={hint} fault={fault}>
      {(attributes) => (
        <div className="relative min-w-0">
          <input
            ref={field}
            {...attributes}
            {...input}
            role="combobox"
            aria-expanded={isOpen && shown.length > 0}
            aria-controls={`${attributes.id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && at >= 0 ? `${attributes.id}-${at}` : undefined}
            className={`h-ctl ${inputClass} ${code ? 'font-code' : ''}`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => {
              onValue(event.currentTarget.value)
              setOpen(true)
              setAt(-1)
            }}
            onFocus={() => setOpen(true)}
            onBlur={closeLater}
            onKeyDown={onKeyDown}
          />
          {isOpen && shown.length > 0 && (
            <SuggestionList
              id={`${attributes.id}-list`}
              label={label}
              below={field}
              suggestions={shown}
              at={at}
              onAt={setAt}
              onTake={({ value: chosen }) => take(chosen)}
              code={code ?? false}
            />
          )}
        </div>
      )}
    </FieldFrame>
  )
}
