import { type ReactNode, useEffect, useRef, useState } from 'react'
import { buttonClass } from '../button.tsx'
import { SearchField } from '../form/field.tsx'
import { Icon } from '../icon.tsx'
import { useShortcut } from '../keyboard.tsx'
import { Menu, MenuCheck, MenuItem, MenuLine } from '../overlay/menu.tsx'

const settledAfter = 300

type FilterBarProps = {
  /** `Filter by name, key or tag`. */
  label: string
  /** From the URL. */
  text: string
  /** Called when typing has settled: one history entry per pause, not per key. */
  onText: (text: string) => void
  /** `Facet`s. */
  children?: ReactNode
  /** `14 of 42`. */
  note?: ReactNode
  /** If there is another filter, it gets `/`. */
  isSecond?: boolean
}

/** Free text and facets above a list. Both are in the URL. */
export function FilterBar({ label, text, onText, children, note, isSecond = false }: FilterBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useSettledText(text, onText)
  const focus = () => field.current?.focus()
  useShortcut(isSecond ? undefined : { keys: '/', label: 'Filter', run: focus })

  return (
    <search className="flex flex-wrap items-center gap-8">
      <SearchField
        ref={field}
        label={label}
        {...(isSecond ? {} : { keyCap: '/' })}
        className="min-w-menu max-w-form flex-1 max-wide:basis-full"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (typed === '') field.current?.blur()
          else setTyped('')
        }}
      />
      {children}
      {note && <span className="ml-auto text-12 text-text-3">{note}</span>}
    </search>
  )
}

/** Shows typed text immediately and reports it after a pause. Follows external changes of the URL. */
export function useSettledText(
  text: string,
  onText: (text: string) => void,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(text)
  const reported = useRef(text)
  const latest = useRef(onText)
  latest.current = onText

  useEffect(() => {
    if (text === reported.current) return
    reported.current = text
    setTyped(text)
  }, [text])
  useEffect(() => {
    if (typed === reported.current) return
    const timer = setTimeout(() => {
      reported.current = typed
      latest.current(typed)
    }, settledAfter)
    return () => clearTimeout(timer)
  }, [typed])

  return [typed, setTyped]
}

export interface FacetValue {
  readonly value: string
  readonly label?: string
  /** Number of rows with it. Unavailable ones stay, with 0. */
  readonly count?: number
}

type FacetProps = {
  label: string
  values: readonly FacetValue[]
  chosen: readonly string[]
  onChosen: (chosen: readonly string[]) => void
}

/** One property to filter by: several values match any of them. */
export function Facet({ label, values, chosen, onChosen }: FacetProps) {
  const first = values.find(({ value }) => value === chosen[0])
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : ''
  const name = chosen.length === 0 ? label : `${label}: ${first?.label ?? chosen[0]}${more}`

  return (
    <Menu
      trigger={
        <button
          type="button"
          className={`${buttonClass()} ${chosen.length > 0 ? 'border-transparent! bg-accent-soft!' : ''}`}
        >
          <span className="max-w-[24ch] truncate">{name}</span>
          <Icon name="down" className="size-16 text-text-2" />
        </button>
      }
    >
      {values.map(({ value, label: text = value, count }) => (
        <MenuCheck
          key={value}
          checked={chosen.includes(value)}
          onChecked={(checked) =>
            onChosen(checked ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        >
          <span className={`min-w-0 flex-1 truncate ${count === 0 ? 'text-text-3' : ''}`}>{text}</span>
          {count !== undefined && <span className="text-12 text-text-3">{count}</span>}
        </MenuCheck>
      ))}
      {values.length === 0 && (
        <MenuItem disabled onSelect={() => undefined}>
          No options
        </MenuItem>
      )}
      {chosen.length > 0 && (
        <>
          <MenuLine />
          <MenuItem icon="close" onSelect={() => onChosen([])}>
            Any
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
