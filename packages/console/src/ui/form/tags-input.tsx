import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { FieldFrame } from './field.tsx'

type TagsInputProps = {
  label: string
  hint?: string
  fault?: string | undefined
  values: readonly string[]
  onValues: (values: string[]) => void
  suggestions: readonly string[]
  limits: { items: number; length: number }
  disabled?: boolean
}

/**
 * Words as chips. `enter` or a comma adds one, a paste adds many, `backspace` in the empty field restores the
 * last one for editing. Unconfirmed text is added on blur.
 */
export function TagsInput(props: TagsInputProps) {
  const { label, hint, fault, values, onValues, suggestions, limits, disabled = false } = props
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [announcement, setAnnouncement] = useState<string>()

  function add(texts: readonly string[]) {
    const words = texts.map((text) => text.trim().slice(0, limits.length)).filter((text) => text !== '')
    const next = [...new Set([...values, ...words])]
    setAnnouncement(next.length > limits.items ? `At most ${limits.items}; the rest was ignored.` : undefined)
    setTyped('')
    if (next.length > values.length) onValues(next.slice(0, limits.items))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (
      event.key === ',' ||
      (event.key === 'Enter' && typed.trim() !== '' && !event.metaKey && !event.ctrlKey)
    ) {
      event.preventDefault()
      add([typed])
    } else if (event.key === 'Backspace' && typed === '' && values.length > 0) {
      onValues(values.slice(0, -1))
    }
  }

  function onPaste(event: ClipboardEvent) {
    const texts = event.clipboardData.getData('text').split(/[\r\n\t,;]+/)
    if (texts.length < 2) return
    event.preventDefault()
    add(texts)
  }

  return (
    <FieldFrame label={label} hint={announcement ?? hint} fault={fault}>
      {(attributes) => (
        <div
          className={`flex min-h-ctl min-w-0 flex-wrap items-center gap-4 rounded-control border p-2 focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1 ${disabled ? 'bg-sunken' : 'bg-surface'} ${fault ? 'border-bad-fill' : 'border-control'}`}
        >
          {values.map((value) => (
            <span
              key={value}
              className="inline-flex h-24 min-w-0 max-w-full items-center rounded-chip bg-hover pl-6 last-of-type:mr-4"
            >
              <span className={`truncate ${disabled ? 'pr-6' : ''}`}>{value}</span>
              {!disabled && (
                <button
                  type="button"
                  aria-label={`Remove ${value}`}
                  className="grid size-24 shrink-0 cursor-pointer place-items-center rounded-chip text-text-2 hover:text-text"
                  onClick={() => {
                    onValues(values.filter((one) => one !== value))
                    field.current?.focus()
                  }}
                >
                  <Icon name="close" className="size-12" />
                </button>
              )}
            </span>
          ))}
          <input
            ref={field}
            {...attributes}
            list={list}
            className="h-20 min-w-[9ch] flex-1 bg-transparent px-4 outline-none placeholder:text-text-3"
            placeholder={values.length === 0 && !disabled ? 'Type a tag and press Enter' : ''}
            autoComplete="off"
            autoCapitalize="none"
            maxLength={limits.length}
            disabled={disabled}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            // Unconfirmed text counts too.
            onBlur={() => typed.trim() !== '' && add([typed])}
          />
          <datalist id={list}>
            {suggestions
              .filter((one) => !values.includes(one))
              .map((one) => (
                <option key={one} value={one} />
              ))}
          </datalist>
        </div>
      )}
    </FieldFrame>
  )
}
