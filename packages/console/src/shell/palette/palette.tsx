import { Dialog as Primitive } from 'radix-ui'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { KeyCap } from '../../ui/form/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyCaps } from '../../ui/keyboard.tsx'
import type { PaletteEntry } from './entry.ts'
import { rankEntries } from './rank.ts'
import { noteRecent, readRecent, useOfferedEntries } from './registry.ts'
import { usePaletteSources } from './sources.tsx'

type PaletteProps = {
  onClose: () => void
  text: string
  onText: (text: string) => void
  /** From then on, the browser gives what is typed to the field. */
  onFocus: () => void
}

/** Command palette: navigation and actions. A combobox over a list; it never saves anything directly. */
export function Palette({ onClose, text, onText, onFocus }: PaletteProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [at, setAt] = useState(0)
  const [recent] = useState(readRecent)
  const offered = useOfferedEntries()
  const found = usePaletteSources(text)
  const entries = grouped(rankEntries([...offered, ...found], text, recent))
  const chosen = entries[Math.min(at, entries.length - 1)]

  function run(entry: PaletteEntry | undefined) {
    if (!entry) return
    noteRecent(entry.id)
    onClose()
    entry.run()
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % Math.max(entries.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
    }
  }

  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <div className="fixed inset-0 z-40 bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          data-modal=""
          onOpenAutoFocus={(event) => {
            // Radix would select the text, and the next letter would replace it.
            event.preventDefault()
            field.current?.focus()
          }}
          className="fixed inset-x-12 top-12 z-40 mx-auto grid max-h-[calc(100dvh-24px)] max-w-palette animate-open grid-rows-[auto_minmax(0,1fr)] overflow-hidden rounded-dialog border border-line-strong bg-surface shadow-dialog wide:top-[12vh] wide:max-h-[70vh]"
        >
          <Primitive.Title className="sr-only">Command palette</Primitive.Title>
          <label className="flex h-48 items-center gap-12 border-line border-b px-16">
            <Icon name="search" className="size-16 text-text-3" />
            <span className="sr-only">Search</span>
            <input
              ref={field}
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={chosen ? `${id}-${entries.indexOf(chosen)}` : undefined}
              className="min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-text-3"
              placeholder="Jump to a screen, a project or a command"
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                onText(event.currentTarget.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
              onFocus={onFocus}
            />
            <KeyCap>esc</KeyCap>
          </label>
          <div id={`${id}-list`} role="listbox" aria-label="Results" className="overflow-y-auto pb-8">
            {entries.length === 0 && <p className="px-16 py-24 text-center text-text-2">No matches.</p>}
            {entries.map((entry, index) => (
              <PaletteRow
                key={entry.id}
                id={`${id}-${index}`}
                entry={entry}
                heads={entry.group !== entries[index - 1]?.group}
                selected={entry === chosen}
                onPoint={() => setAt(index)}
                onRun={() => run(entry)}
              />
            ))}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type PaletteRowProps = {
  id: string
  entry: PaletteEntry
  /** The first of its group. */
  heads: boolean
  selected: boolean
  onPoint: () => void
  onRun: () => void
}

function PaletteRow({ id, entry, heads, selected, onPoint, onRun }: PaletteRowProps) {
  return (
    <>
      {heads && (
        <div role="presentation" className="px-16 pt-10 pb-4 text-11 text-text-3">
          {entry.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the combobox keeps the focus and handles enter. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        ref={(row) => {
          if (selected) row?.scrollIntoView({ block: 'nearest' })
        }}
        onPointerMove={selected ? undefined : onPoint}
        onClick={onRun}
        className="flex min-h-row cursor-pointer items-center gap-10 px-16 aria-selected:bg-selected"
      >
        <Icon name={entry.icon} className="size-16 text-text-3" />
        <span className={`truncate ${entry.isKey ? 'font-code text-12' : ''}`}>{entry.label}</span>
        {entry.note && <span className="truncate text-text-3">{entry.note}</span>}
        <span className="ml-auto flex items-center gap-4">
          {entry.picture}
          {entry.shortcut && keyCaps(entry.shortcut).map((cap) => <KeyCap key={cap}>{cap}</KeyCap>)}
        </span>
      </div>
    </>
  )
}

/** Groups are ordered by their best entry. */
function grouped(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const groups = new Set(entries.map(({ group }) => group))
  return [...groups].flatMap((group) => entries.filter((entry) => entry.group === group))
}
