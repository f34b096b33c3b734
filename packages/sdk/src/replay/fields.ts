// Fields of forms: values, checks and chosen options, whether the user changes them or the page does.

import { records as codes, parts } from '@telltale/core/telemetry/replay/codes'
import { closest, matches, nameOf, querySelector } from './natives.ts'
import type { Stream } from './stream.ts'
import type { PageWindow, Watching } from './watching.ts'

/** No value of their own besides the attribute; the names of files are never recorded. */
const valueless = /^(hidden|submit|image|reset|button|file)$/
const checkable = /^(checkbox|radio)$/

export function watchFields({ records, mask, hook }: Watching) {
  /** As recorded. */
  const last = new WeakMap<Element, string | boolean>()
  /** Selects, and options outside of one, whose choice may be another for the player. */
  const unsure = new WeakSet<Element>()
  /** Chosen radio buttons: for the player, another one may come into their group before they leave it. */
  const radios = new Set<Element>()
  let hasSelects = false
  const keepRadio = (element: Element) => {
    if (stateOf(element) === true && isRadio(element)) radios.add(element)
  }

  const writePart = (element: Element, stream: Stream, before?: () => void) => {
    const state = stateOf(element)
    const text = typeof state === 'string' ? mask.value(element, state) : undefined
    if (
      state === undefined ||
      (typeof state === 'boolean' ? !mask.isCheckShown(element) : text === undefined)
    )
      return
    last.set(element, state)
    keepRadio(element)
    before?.()
    // No value would do for a select without a choice: an option can have it.
    if (text === undefined || element.localName === 'select')
      stream.byte(state ? parts.checked : parts.unchecked)
    else {
      stream.byte(parts.value)
      stream.text(text)
    }
  }
  const changed = (element: Element) => {
    // A text field within a select is no part of its choice.
    const holder = nameOf(element) === 'option' ? holderOf(element) : element
    if (stateOf(element) === undefined && element.localName !== 'select') return
    records.queueState(holder, 'field', (stream) => {
      const isUnsure = unsure.delete(holder)
      const related = [...relatedTo(holder)]
      const isList = isSingle(holder)
      const replaces = isList || (isRadio(holder) && stateOf(holder) === true)
      // A select after its options: without a choice it would choose one of them.
      for (const each of holder.localName === 'select' ? [...related, holder] : [holder, ...related]) {
        const state = stateOf(each)
        const id = records.idOf(each)
        // What attributes say of a list may not be what the player has chosen in it.
        const known = last.get(each) ?? (isList || each === holder ? undefined : initialOf(each))
        // The chosen one of several replaces the others.
        const isReplaced = (isUnsure || isList) && state === false && replaces
        if (isReplaced) last.set(each, state)
        if (!id || isReplaced || (!isUnsure && state === known)) continue
        if (state === undefined) last.delete(each)
        writePart(each, stream, () => {
          stream.byte(codes.state)
          stream.number(id)
        })
      }
    })
  }
  return {
    /** Of a field that is written: what its attributes do not say. */
    write(element: Element, stream: Stream) {
      if (element.localName === 'select') {
        hasSelects = true
        last.delete(element)
        // After its options: they would be chosen when they come.
        if (stateOf(element) !== undefined) changed(element)
        return
      }
      if (mask.isCheckShown(element)) keepRadio(element)
      if (last.has(element) || stateOf(element) !== initialOf(element)) writePart(element, stream)
    },
    changed,
    /** Options that came, went or moved: which one is chosen then, the browser decides, and its player may differ. */
    rearranged(found: readonly MutationRecord[]) {
      if (radios.size > 0 && found.some(isRegrouping))
        for (const radio of radios) {
          if (!records.idOf(radio) || stateOf(radio) !== true) radios.delete(radio)
          else unsure.add(radio)
          // Also if another one is chosen now, which may be masked.
          changed(radio)
        }
      if (!hasSelects) return
      for (const each of found.filter(isChoosing).flatMap(rearrangedIn)) {
        const holder = holderOf(each)
        if (!/^(select|option)$/.test(holder.localName)) continue
        unsure.add(holder)
        changed(holder)
      }
    },
    /** Its fields change after the event, and without one. */
    reset(form: Element) {
      for (const each of Object(form).elements ?? []) changed(each)
    },
    hookWindow(window: PageWindow) {
      const onCall = (target: object) => {
        const element = target as Element
        if (records.idOf(element)) changed(element)
      }
      const set = (owner: object | undefined, names: string, kind: 'value' | 'set' = 'set') => {
        for (const name of names.split(' ')) hook({ owner, name, kind, onCall })
      }
      const { HTMLInputElement, HTMLTextAreaElement } = window
      set(HTMLInputElement?.prototype, 'value checked valueAsNumber valueAsDate')
      set(HTMLInputElement?.prototype, 'stepUp stepDown setRangeText', 'value')
      set(HTMLTextAreaElement?.prototype, 'value')
      set(HTMLTextAreaElement?.prototype, 'setRangeText', 'value')
      set(window.HTMLSelectElement?.prototype, 'value selectedIndex')
      set(window.HTMLOptionElement?.prototype, 'selected')
    },
  }
}

/** Other attributes leave the choice as it is, and texts do. */
const isChoosing = ({ type, attributeName }: MutationRecord) =>
  type === 'childList' || /^(multiple|size|selected)$/.test(attributeName ?? '')

/** Radio buttons can be in another group, or another one in theirs. */
function isRegrouping({ type, attributeName, target, addedNodes }: MutationRecord): boolean {
  if (type === 'attributes')
    return target.nodeName === 'INPUT' && /^(name|type|form|checked)$/.test(attributeName ?? '')
  const grouping = 'form,input[type=radio]'
  return [...addedNodes].some((node) => {
    const element = node as Element
    return node.nodeType === 1 && (matches(element, grouping) || querySelector(element, grouping) !== null)
  })
}

/** Where something changed, and options that were taken from there. */
function rearrangedIn({ target, removedNodes }: MutationRecord): Element[] {
  const taken = [...removedNodes].filter((node) => node.nodeType === 1) as Element[]
  const at = target.nodeType === 1 ? [target as Element] : []
  return [...at, ...taken, ...taken.flatMap((each) => [...each.querySelectorAll('option')])]
}

/** The select that an element is in, or itself. */
const holderOf = (element: Element) => closest(element, 'select') ?? element
const isRadio = (element: Element) => nameOf(element) === 'input' && Object(element).type === 'radio'
const isSingle = (element: Element) => element.localName === 'select' && !Object(element).multiple

/** What can change with it. */
function relatedTo(element: Element): Iterable<Element> {
  const { localName } = element
  if (localName === 'select') return Object(element).options
  if (localName !== 'input') return []
  const { type, name, form } = Object(element)
  if (type !== 'radio' || !name) return []
  const root = element.getRootNode() as ParentNode
  const fields: Iterable<Element> = form?.elements ?? root.querySelectorAll('input')
  return [...fields].filter((each) => {
    const other = Object(each)
    return other.type === 'radio' && other.name === name && other.form === form && each !== element
  })
}

function stateOf(element: Element): string | boolean | undefined {
  const field = Object(element)
  switch (element.localName) {
    case 'input':
      if (checkable.test(field.type)) return field.checked
      return valueless.test(field.type) ? undefined : field.value
    case 'textarea':
      return field.value
    case 'option':
      return field.selected
    case 'select':
      // Otherwise its options say it.
      return field.selectedIndex < 0 ? '' : undefined
  }
  return undefined
}

function initialOf(element: Element): string | boolean | undefined {
  const field = Object(element)
  if (nameOf(element) === 'option') return field.defaultSelected
  return checkable.test(field.type) ? field.defaultChecked : field.defaultValue
}
