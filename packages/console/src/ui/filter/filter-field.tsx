import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { SearchField } from '../form/field.tsx'
import { SuggestionList } from '../form/suggestion-list.tsx'
import { useShortcut } from '../keyboard.tsx'
import type { FilterSuggestion } from './filter-suggestions.ts'
import { type SuggestionSources, useFilterSuggestions } from './use-filter-suggestions.ts'

type FilterFieldProps = {
  ref: RefObject<HTMLInputElement | null>
  label: string
  /** Id of the error message for the typed text. */
  faultId: string | undefined
  sources: SuggestionSources
  typed: string
  onType: (text: string) => void
  onAdd: (text: string) => void
  /** Placeholder of the empty field. */
  onBackspace: () => void
}

/** The input for the next chip, with suggestions of fields and values below. */
export function FilterField({ ref, label, faultId, sources, typed, onType, ...actions }: FilterFieldProps) {
  const id = useId()
  const [at, setAt] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const suggestions = useFilterSuggestions(isOpen ? typed : undefined, sources)
  const isShown = isOpen && suggestions.length > 0
  const chosen = isShown ? suggestions[at] : undefined
  useShortcut({ keys: '/', label: 'Filter', run: () => ref.current?.focus() })

  function take({ value, isWhole }: FilterSuggestion) {
    setAt(-1)
    if (isWhole) actions.onAdd(value)
    else onType(value)
    ref.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setOpen(true)
      setAt(stepped(at, step, suggestions.length))
    } else if (chosen && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      take(chosen)
    } else if (event.key === 'Enter') actions.onAdd(typed)
    else if (event.key === 'Backspace' && typed === '') actions.onBackspace()
    else if (event.key === 'Escape' && isShown) setOpen(false)
    else if (event.key === 'Escape' && typed === '') ref.current?.blur()
    else if (event.key === 'Escape') onType('')
  }

  return (
    <>
      <SearchField
        ref={ref}
        label={label}
        keyCap="/"
        className="min-w-menu max-w-form flex-1 max-wide:basis-full"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${id}-list-${at}` : undefined}
        value={typed}
        aria-invalid={faultId === undefined ? undefined : true}
        aria-describedby={faultId}
        onChange={(event) => {
          onType(event.currentTarget.value)
          setOpen(true)
          setAt(-1)
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <SuggestionList
          id={`${id}-list`}
          label="Suggestions"
          below={ref}
          suggestions={suggestions}
          at={at}
          onAt={setAt}
          onTake={take}
        />
      )}
    </>
  )
}

/** The next one, wrapping around; without a selection, the first or the last. */
function stepped(at: number, step: number, length: number): number {
  if (length === 0) return -1
  if (at === -1) return step > 0 ? 0 : length - 1
  return (at + step + length) % length
}
