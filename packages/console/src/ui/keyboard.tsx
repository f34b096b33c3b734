import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * The only listener for keyboard shortcuts. Single letters only work outside fields and dialogs, and can be
 * turned off (WCAG 2.1.4).
 */
export interface Shortcut {
  /** `j`, `g f`, `?`, `mod+k`, `mod+Enter`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
  /** Also works while a field has the focus. */
  readonly always?: boolean
}

interface Registered {
  current: Shortcut
}

const registered: Registered[] = []
const listeners = new Set<() => void>()
let snapshot: readonly Shortcut[] = []
let prefix: { key: string; at: number } | undefined

const prefixLasts = 1_500
const lettersOffKey = 'telltale.letters-off'

export const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? '')

/** Registers a shortcut while the component is mounted. The latest registration of a key wins. */
export function useShortcut(shortcut: Shortcut | undefined): void {
  const latest = useRef(shortcut)
  latest.current = shortcut
  const keys = shortcut?.keys
  const label = shortcut?.label

  useEffect(() => {
    if (keys === undefined || label === undefined) return
    const entry: Registered = {
      current: { keys, label, run: () => latest.current?.run(), always: latest.current?.always ?? false },
    }
    registered.push(entry)
    announce()
    return () => {
      registered.splice(registered.indexOf(entry), 1)
      announce()
    }
  }, [keys, label])
}

/** The active shortcuts, for the list of shortcuts. */
export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(listen, () => snapshot)
}

function areLettersOff(): boolean {
  return localStorage.getItem(lettersOffKey) !== null
}

export function setLettersOff(off: boolean): void {
  if (off) localStorage.setItem(lettersOffKey, 'yes')
  else localStorage.removeItem(lettersOffKey)
  announce()
}

export function useLettersOff(): boolean {
  return useSyncExternalStore(listen, areLettersOff)
}

/** `mod+k` becomes `⌘K` or `Ctrl K`; `g f` stays two keys. */
export function keyCaps(keys: string): string[] {
  return keys.split(' ').map((key) =>
    key
      .split('+')
      .map((part) => capOf(part))
      .join(isMac ? '' : ' '),
  )
}

function capOf(part: string): string {
  if (part === 'mod') return isMac ? '⌘' : 'Ctrl'
  if (part === 'Enter') return '↵'
  if (part === 'Escape') return 'esc'
  if (part === 'ArrowDown') return '↓'
  if (part === 'ArrowUp') return '↑'
  if (part === 'Space') return 'space'
  return part
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(): void {
  snapshot = registered.map((entry) => entry.current)
  for (const listener of listeners) listener()
}

/** Listens until the returned function is called. */
export function startKeyboard(): () => void {
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const key = nameOf(event)
  const full = prefix && event.timeStamp - prefix.at < prefixLasts ? `${prefix.key} ${key}` : key
  prefix = undefined

  const found = findShortcut(full) ?? findShortcut(key)
  if (found && (found.always || mayUseLetters(event, key))) {
    event.preventDefault()
    found.run()
  } else if (isPrefix(key) && mayUseLetters(event, key)) {
    prefix = { key, at: event.timeStamp }
  }
}

function nameOf(event: KeyboardEvent): string {
  const key =
    event.key === ' '
      ? 'Space'
      : event.key.length === 1 && !event.shiftKey
        ? event.key.toLowerCase()
        : event.key
  return (isMac ? event.metaKey : event.ctrlKey) ? `mod+${key}` : key
}

function findShortcut(keys: string): Shortcut | undefined {
  return registered.findLast((entry) => entry.current.keys === keys)?.current
}

function isPrefix(key: string): boolean {
  return registered.some((entry) => entry.current.keys.startsWith(`${key} `))
}

function mayUseLetters(event: KeyboardEvent, key: string): boolean {
  if (document.querySelector('[data-modal]')) return false
  if (key.startsWith('mod+')) return true
  if (areLettersOff() && key.length === 1) return false
  if (!(event.target instanceof HTMLElement)) return true
  if (key === 'Space' && event.target.closest(pressedBySpace)) return false
  return !isTyping(event.target) && !(isForWalking(key) && event.target.closest(walkedByArrows))
}

/** On the row that is already current, pressing again does nothing, so the page gets the space key. */
export const passesSpace = { 'data-passes-space': '' }
const pressedBySpace =
  ':is(button, summary, [role=button], [role=checkbox], [role=switch], [role=tab], [role=radio]):not([data-passes-space])'

const walkedByArrows = '[role=tablist], [role=radiogroup], input[type=range]'
const isForWalking = (key: string) => /^(Arrow|Page|Home|End|Enter)/.test(key)

function isTyping(element: HTMLElement): boolean {
  return (
    element.isContentEditable ||
    element.closest(
      'input:not([type=checkbox],[type=radio],[type=range]), textarea, select, [role=menu], [role=listbox]',
    ) !== null ||
    element.shadowRoot?.activeElement != null
  )
}
