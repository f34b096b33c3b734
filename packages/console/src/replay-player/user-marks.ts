// Marks what the user points at and what has the focus: selectors of the page depend on these marks, see
// mark-user-states.ts. The marks of ancestors lie along shadow roots and frames.

import { ownAttributes } from './allowed.ts'
import { isDocument, isElement, ownerOf } from './recorded-nodes.ts'

interface UserMarks {
  point(node: Node | undefined): void
  focus(node: Node | undefined, isByKey: boolean): void
  clear(): void
}

const fields = new Set(['input', 'textarea', 'select'])

export function createUserMarks(): UserMarks {
  let pointed: readonly Element[] = []
  let withFocus: readonly Element[] = []
  let focused: Element | undefined

  const mark = (name: string, before: readonly Element[], now: readonly Element[]) => {
    if (before.length === now.length && before.every((element, index) => element === now[index]))
      return before
    const staying = new Set(now)
    for (const element of before) if (!staying.has(element)) element.removeAttribute(name)
    for (const element of now) element.setAttribute(name, '')
    return now
  }
  return {
    point(node) {
      pointed = mark(ownAttributes.hover, pointed, elementsUp(node))
    },
    focus(node, isByKey) {
      withFocus = mark(ownAttributes.focusWithin, withFocus, elementsUp(node))
      focused?.removeAttribute(ownAttributes.focus)
      focused?.removeAttribute(ownAttributes.focusVisible)
      focused = isElement(node) ? node : undefined
      focused?.setAttribute(ownAttributes.focus, '')
      const isTyped = focused !== undefined && (fields.has(focused.localName) || isEditable(focused))
      if (isByKey || isTyped) focused?.setAttribute(ownAttributes.focusVisible, '')
    },
    clear() {
      pointed = []
      withFocus = []
      focused = undefined
    },
  }
}

const isEditable = (element: Element) =>
  /^(|true|plaintext-only)$/i.test(element.getAttribute('contenteditable') ?? 'no')

function elementsUp(node: Node | undefined): Element[] {
  const found: Element[] = []
  let above: Node | null | undefined = node?.isConnected ? node : undefined
  while (above) {
    if (isElement(above)) found.push(above)
    above = isDocument(above) ? frameOf(above) : ownerOf(above)
  }
  return found
}

/** Up to the frame of the recorded page itself, which is the player's. */
function frameOf(document: Document): Element | undefined {
  const frame = document.defaultView?.frameElement
  return frame && frame.ownerDocument !== globalThis.document ? frame : undefined
}
