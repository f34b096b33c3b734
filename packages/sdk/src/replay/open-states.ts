// Dialogs and popovers: no attribute says that they are in the top layer.

import { records as codes, opens, parts } from '@telltale/core/telemetry/replay/codes'
import { hasAttribute } from './natives.ts'
import type { Stream } from './stream.ts'
import type { PageWindow, Watching } from './watching.ts'

export function watchOpenStates({ records, hook }: Watching) {
  /** For the player, in the top layer. */
  const onTop = new Map<Element, number>()
  const writePart = (element: Element, state: number, stream: Stream) => {
    if (isOnTop(state)) onTop.set(element, state)
    else onTop.delete(element)
    stream.byte(parts.open)
    stream.number(state)
  }
  const changed = (element: Element) => {
    if (!canOpen(element)) return
    records.queueState(element, 'open', (stream) => {
      stream.byte(codes.state)
      stream.number(records.idOf(element))
      writePart(element, openStateOf(element), stream)
    })
  }
  return {
    /** Where attributes do not say it. */
    write(element: Element, stream: Stream) {
      if (!canOpen(element)) return
      const state = openStateOf(element)
      if (isOnTop(state)) writePart(element, state, stream)
    },
    changed,
    /** What is taken from its place is taken from the top layer, without an event. */
    rearranged() {
      for (const [element, state] of onTop) {
        if (!records.idOf(element)) onTop.delete(element)
        else if (openStateOf(element) !== state) changed(element)
      }
    },
    hookWindow(window: PageWindow) {
      const onCall = (target: object) => changed(target as Element)
      const watch = (owner: object | undefined, names: readonly string[]) => {
        for (const name of names) hook({ owner, name, kind: 'value', onCall })
      }
      watch(window.HTMLDialogElement?.prototype, ['show', 'showModal', 'close'])
      watch(window.HTMLElement?.prototype, ['showPopover', 'hidePopover', 'togglePopover'])
    },
  }
}

const isOnTop = (state: number) => state >= opens.modal
const canOpen = (element: Element) => element.localName === 'dialog' || hasAttribute(element, 'popover')

function openStateOf(element: Element): number {
  if (matches(element, ':modal')) return opens.modal
  if (matches(element, ':popover-open')) return opens.popover
  return element.localName === 'dialog' && element.hasAttribute('open') ? opens.open : opens.closed
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector)
  } catch {
    // Browsers before 2023.
    return false
  }
}
