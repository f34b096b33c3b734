import { type Scalar, valueText } from '@telltale/core/changes/condition-words'
import { limits } from '@telltale/core/limits'
import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../button.tsx'
import { FieldFrame } from '../form/field.tsx'
import { Select } from '../form/select.tsx'
import { Icon } from '../icon.tsx'
import { numberOf } from './operators.ts'
import { splitPasted } from './split-pasted.ts'

const foldedAbove = 40
const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
] as const

type ListInputProps = {
  label: string
  values: readonly Scalar[]
  onValues: (values: Scalar[]) => void
  fault?: string | undefined
}

/**
 * Values as chips. `enter` adds one, a paste adds many, `backspace` in the empty field restores the last one
 * for editing. Unconfirmed text counts too: it is added on blur, and before a shortcut saves.
 */
export function ListInput({ label, values, onValues, fault }: ListInputProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [kind, setKind] = useState<'text' | 'number'>(typeof values[0] === 'number' ? 'number' : 'text')
  const [announcement, setAnnouncement] = useState<string>()
  const [isUnfolded, setUnfolded] = useState(false)
  const shown = isUnfolded ? values : values.slice(0, foldedAbove)

  /** Whether all values were accepted; otherwise as many as fit. */
  function add(texts: readonly string[]): boolean {
    const added = texts.map((text) => (kind === 'number' ? numberOf(text) : text))
    if (added.some((value) => Number.isNaN(value))) {
      setAnnouncement('Not a number. Choose Text for text.')
      return false
    }
    const next = [...new Set([...values, ...added])]
    if (next.length > limits.conditionListItems && values.length === limits.conditionListItems) {
      setAnnouncement(`At most ${limits.conditionListItems} values.`)
      return false
    }
    setAnnouncement(
      next.length > limits.conditionListItems
        ? `At most ${limits.conditionListItems} values; the rest was ignored.`
        : texts.length > 1
          ? `${next.length - values.length} added.`
          : undefined,
    )
    onValues(next.slice(0, limits.conditionListItems))
    return true
  }

  function addTyped() {
    const text = typed.trim()
    if (text !== '' && add([text])) setTyped('')
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
      event.preventDefault()
      addTyped()
    } else if (event.metaKey || event.ctrlKey) {
      // A shortcut may save: the value must be complete by then.
      if (event.key === 's' || event.key === 'Enter') flushSync(addTyped)
    } else if (event.key === 'Backspace' && typed === '' && values.length > 0) {
      onValues(values.slice(0, -1))
    }
  }

  function onPaste(event: ClipboardEvent) {
    const texts = splitPasted(event.clipboardData.getData('text'))
    if (texts.length < 2) return
    event.preventDefault()
    add(texts)
  }

  return (
    <FieldFrame label={label} hideLabel hint={announcement} fault={fault}>
      {(attributes) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only observes focus leaving.
        <div className="flex min-w-0 items-start gap-6" onBlur={onLeave(addTyped)}>
          <div
            className={`flex min-h-ctl min-w-0 flex-1 flex-wrap items-center gap-4 rounded-control border bg-surface p-2 focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1 ${fault ? 'border-bad-fill' : 'border-control'}`}
          >
            {shown.map((value) => (
              <Chip
                key={`${typeof value} ${value}`}
                text={valueText(value)}
                onRemove={() => {
                  onValues(values.filter((one) => one !== value))
                  field.current?.focus()
                }}
              />
            ))}
            {values.length > shown.length && (
              <Button size="small" look="quiet" onClick={() => setUnfolded(true)}>
                and {values.length - shown.length} more
              </Button>
            )}
            <input
              ref={field}
              {...attributes}
              className="h-20 min-w-[9ch] flex-1 bg-transparent px-4 outline-none placeholder:text-text-3"
              placeholder={values.length === 0 ? 'Type a value and press Enter, or paste a list' : 'Add'}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={limits.conditionValueLength}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
          </div>
          <span className="w-[10ch] shrink-0">
            <Select label="Type of values" hideLabel options={kinds} value={kind} onValue={setKind} />
          </span>
        </div>
      )}
    </FieldFrame>
  )
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <span className="inline-flex h-24 min-w-0 max-w-full items-center rounded-chip bg-hover pl-6">
      <span className="truncate">{text}</span>
      <button
        type="button"
        aria-label={`Remove ${text}`}
        className="grid size-24 shrink-0 cursor-pointer place-items-center rounded-chip text-text-2 hover:text-text"
        onClick={onRemove}
      >
        <Icon name="close" className="size-12" />
      </button>
    </span>
  )
}

/**
 * For `onBlur` of an element with several controls: runs when the focus leaves all of them. If a press on a
 * button took the focus, it runs right before the click: a field that grew earlier would move the button away
 * from the pointer.
 */
function onLeave(run: () => void): (event: FocusEvent) => void {
  return ({ currentTarget, relatedTarget: to }) => {
    if (to instanceof Node && currentTarget.contains(to)) return
    if (to instanceof Element && to.matches('button:active, a:active')) runBeforeClick(run)
    else run()
  }
}

function runBeforeClick(run: () => void): void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const finish = () => {
    if (listening.signal.aborted) return
    listening.abort()
    flushSync(run)
  }
  // A press released elsewhere fires no click.
  const released = () => setTimeout(finish)
  window.addEventListener('click', finish, options)
  window.addEventListener('pointerup', released, options)
  window.addEventListener('pointercancel', released, options)
}
