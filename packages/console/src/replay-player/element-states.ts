// States of a recorded element that no attribute shows: what is typed, chosen, scrolled, open or playing, and boxes in
// place of content.

import { ownAttributes } from './allowed.ts'
import { applyChecked, type Builder, define } from './build-nodes.ts'
import { isObject, type Json, numberOf, within } from './read-json.ts'

const farthest = 1e7
const largestBox = 100_000
const aPicture = /^image\/(png|jpeg|webp|gif|avif)$/
const aBase64 = /^[a-z0-9+/=]+$/i

/** Frames that show what was recorded in them. */
const openBoxes = new WeakSet<Element>()

/** Styles that the player gives an element: the recorded inline style does not replace them. */
const shapes = new WeakMap<Element, Map<string, string>>()

export function applyState(element: Element, state: Json, builder: Builder): void {
  if (typeof state.sheet === 'string' && builder.styles.has(element) && element.isConnected)
    builder.styles.setSheet(element, state.sheet)
  if (state.defined === true) define(element.ownerDocument, element.localName)
  if (isObject(state.box)) {
    if (!openBoxes.has(element)) element.setAttribute(ownAttributes.box, '')
    shape(element, {
      width: `${within(state.box.width, 0, largestBox)}px`,
      height: `${within(state.box.height, 0, largestBox)}px`,
      'box-sizing': 'border-box',
    })
  }
  if (typeof state.playing === 'boolean') element.setAttribute(ownAttributes.playing, `${state.playing}`)
  applyField(element, state)
  if (state.open !== undefined) applyOpen(element, state.open)
  if (isObject(state.scroll)) scroll(element, state.scroll)
}

/** It keeps its size. */
export function openBox(frame: Element): void {
  openBoxes.add(frame)
  frame.removeAttribute(ownAttributes.box)
}

/** One that was opened. */
export function closeBox(frame: Element): void {
  if (openBoxes.delete(frame)) frame.setAttribute(ownAttributes.box, '')
}

function applyField(element: Element, { value, checked }: Json): void {
  const field = element as Partial<HTMLInputElement> & Element
  const tag = element.localName
  applyChecked(element, checked)
  try {
    const isField = tag === 'input' || tag === 'textarea' || tag === 'select'
    if (typeof value === 'string' && isField) field.value = value
  } catch {
    // The value of a file input cannot be set.
  }
}

export function scroll(target: Element | Window, { x, y }: Json): void {
  const place = {
    left: within(numberOf(x), -farthest, farthest),
    top: within(numberOf(y), -farthest, farthest),
  }
  target.scrollTo({ ...place, behavior: 'instant' })
}

/** As recorded: the page's native rules would close others. */
function applyOpen(element: Element, state: unknown): void {
  if (!element.isConnected) return
  try {
    if (element.localName === 'dialog') applyDialog(element as HTMLDialogElement, state)
    else if (state === 'popover') (element as HTMLElement).showPopover()
    else if (state === 'closed') (element as HTMLElement).hidePopover()
  } catch {
    // It is no popover here, or is one already.
  }
}

function applyDialog(dialog: HTMLDialogElement, state: unknown): void {
  if (state === 'closed' && !dialog.open) dialog.hidePopover()
  dialog.close()
  if (state === 'popover') dialog.showPopover()
  else if (state === 'modal') dialog.showModal()
  else if (state === 'open') dialog.setAttribute('open', '')
}

/** Closing it takes it from the layer above the page, which removing the attribute does not. */
export function closeDialog(element: Element): void {
  if (element.localName === 'dialog') (element as HTMLDialogElement).close()
}

/** Of an image, by its `object-fit`. */
const fits: Record<string, string> = { contain: 'contain', 'scale-down': 'contain', cover: 'cover' }

/** A canvas or an image, as the background of its box. */
export function drawCanvas(element: Element, { mime, data }: Json): void {
  const { localName } = element
  if ((localName !== 'canvas' && localName !== 'img') || typeof mime !== 'string' || typeof data !== 'string')
    return
  if (!aPicture.test(mime) || !aBase64.test(data)) return
  const fit = fits[element.ownerDocument.defaultView?.getComputedStyle(element).objectFit ?? '']
  const place = fit === undefined ? '0 0 / 100% 100%' : `center / ${fit}`
  shape(element, { background: `url("data:${mime};base64,${data}") ${place} no-repeat` })
}

function shape(element: Element, styles: Record<string, string>): void {
  const known = shapes.get(element) ?? new Map<string, string>()
  for (const [property, value] of Object.entries(styles)) known.set(property, value)
  shapes.set(element, known)
  keepShape(element)
}

/** After its inline style changed. */
export function keepShape(element: Element): void {
  const { style } = element as HTMLElement
  for (const [property, value] of shapes.get(element) ?? []) style.setProperty(property, value)
}

/** A page that resizes it means its box as well. */
export function forgetShape(element: Element, property: unknown): void {
  if (typeof property === 'string') shapes.get(element)?.delete(property)
}
