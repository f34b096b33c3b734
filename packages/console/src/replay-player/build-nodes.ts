// Builds recorded nodes: allowed elements and attributes, and an inert element in place of every other one, so that
// later changes still find its neighbours. Every part of a recording is checked where it is used.

import { htmlTags, mathTags, shadowHosts, svgNames, svgTags, takenNames, unseenTags } from './allowed.ts'
import type { Assets } from './assets.ts'
import { cleanseAttribute } from './cleanse-attributes.ts'
import type { ConstructedSheets } from './constructed-sheets.ts'
import { idOf, isObject, type Json, listOf, numberOf, stringOf } from './read-json.ts'
import { isElement, isText, ownerOf, type RecordedNodes, TooLarge } from './recorded-nodes.ts'
import type { StyleElements } from './style-elements.ts'

export interface Builder {
  readonly assets: Assets
  readonly nodes: RecordedNodes
  readonly styles: StyleElements
  readonly sheets: ConstructedSheets
}

/** What can only be done once the nodes are in the document. */
export interface Later {
  readonly states: [Element, Json][]
  readonly frames: [HTMLIFrameElement, Json][]
}

export interface Place {
  readonly document: Document
  readonly depth: number
  /** What they will be in. */
  readonly parent: Node
  readonly later: Later
}

/** Bound the depth: recursion would overflow the stack. */
const deepest = 600
const aCustomName = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/
const longestName = 100
const attributesAtMost = 1_000
/** In their place, what shows nothing. */
const unseen = 'template'
const spaces = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
} as const
const attributeSpaces: ReadonlyMap<string, string> = new Map([
  ['xlink', 'http://www.w3.org/1999/xlink'],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
])

/** @throws TooLarge */
export function buildNodes(list: unknown, place: Place, builder: Builder): Node[] {
  if (place.depth > deepest) throw new TooLarge()
  return listOf(list).flatMap((node) => (isObject(node) ? (buildNode(node, place, builder) ?? []) : []))
}

function buildNode(node: Json, place: Place, builder: Builder): Node | undefined {
  const id = idOf(node.id)
  if (id === undefined) return undefined
  const { nodes } = builder
  const known = nodes.get(id)
  if (node.kind === 'known') {
    if (known === undefined || !canMove(known, place.parent)) return undefined
    if (isElement(known)) renewSheets(known, builder)
    return known
  }
  if (known !== undefined) {
    // A document and a shadow root stay where they are, and so does what the nodes are put into.
    if (!canMove(known, place.parent)) return undefined
    takeAway(known, builder)
  }
  if (node.kind === 'element') return buildElement({ node, id }, place, builder)
  if (node.kind === 'text') return keep(id, place.document.createTextNode(stringOf(node.text)), builder)
  if (node.kind !== 'doctype') return undefined
  return keep(id, place.document.implementation.createDocumentType('html', '', ''), builder)
}

/** Of an element that moves, with all that is in it. */
function renewSheets(element: Element, builder: Builder): void {
  builder.styles.renew(element)
  for (const inner of [element, element.shadowRoot])
    for (const child of inner?.children ?? []) renewSheets(child, builder)
}

function keep<Built extends Node>(id: number, built: Built, { nodes }: Builder): Built {
  nodes.set(id, built)
  return built
}

function canMove(node: Node, parent: Node): boolean {
  if (!isElement(node) && !isText(node)) return false
  for (let above: Node | null = parent; above !== null; above = ownerOf(above))
    if (above === node) return false
  return true
}

/** From the page, and with all that is in it from what is known. */
export function takeAway(node: Node, { nodes, styles }: Builder): void {
  nodes.forget(node)
  if (isText(node) && styles.remove(node)) return
  node.parentNode?.removeChild(node)
}

interface Recorded {
  readonly node: Json
  readonly id: number
}

function buildElement({ node, id }: Recorded, place: Place, builder: Builder): Element {
  const { styles } = builder
  const { document, depth, later } = place
  const { tag, name, space, isLink } = shapeOf(node)
  const state = isObject(node.state) ? node.state : {}
  if (state.defined === true) define(document, tag)
  const element = keep(id, document.createElementNS(spaces[space], name), builder)
  const attributes = Object.entries(isObject(node.attributes) ? node.attributes : {}).slice(
    0,
    attributesAtMost,
  )
  if (tag === unseen) return element
  if (tag === 'style') {
    const link = isLink
      ? new Map(attributes.map(([attribute, value]) => [attribute, stringOf(value)]))
      : undefined
    styles.add(element, link)
    if (!isLink) fillStyle({ element, children: node.children }, place, builder)
    if (typeof state.sheet === 'string') styles.setSheet(element, state.sheet)
    else styles.render(element)
  }
  if (!isLink)
    for (const [attribute, value] of attributes) setAttribute(element, [attribute, stringOf(value)], builder)
  applyChecked(element, state.checked)
  if (tag === 'iframe') {
    element.setAttribute('sandbox', 'allow-same-origin')
    if (isObject(node.document)) later.frames.push([element as HTMLIFrameElement, node.document])
  }
  if (isObject(node.shadow))
    attachShadow({ host: element, shadow: node.shadow }, { ...place, depth: depth + 1 }, builder)
  const inside = { ...place, depth: depth + 1 }
  // In a frame they are not shown, and may move out of it.
  if (tag !== 'style')
    for (const child of buildNodes(node.children, inside, builder)) element.appendChild(child)
  if (Object.keys(state).length > 0) later.states.push([element, state])
  return element
}

function fillStyle(
  { element, children }: { element: Element; children: unknown },
  place: Place,
  builder: Builder,
): void {
  for (const child of listOf(children)) {
    if (!isObject(child) || child.kind !== 'text') continue
    const text = buildNode(child, place, builder)
    if (isText(text)) builder.styles.insert(element, text, undefined)
  }
}

interface Shape {
  /** In lower case. */
  readonly tag: string
  readonly name: string
  readonly space: keyof typeof spaces
  readonly isLink: boolean
}

function shapeOf({ tag: recorded, space }: Json): Shape {
  const tag = stringOf(recorded).toLowerCase()
  const html = (name: string, isLink = false): Shape => ({ tag: name, name, space: 'html', isLink })
  if (unseenTags.has(tag)) return html(unseen)
  if (space === 'svg') {
    const known = svgTags.has(tag) ? tag : 'g'
    return { tag: known, name: svgNames.get(known) ?? known, space, isLink: false }
  }
  if (space === 'math') {
    const known = mathTags.has(tag) ? tag : 'mrow'
    return { tag: known, name: known, space, isLink: false }
  }
  if (tag === 'link') return html('style', true)
  return html(htmlTags.has(tag) || isCustomName(tag) ? tag : 'span')
}

const isCustomName = (tag: string) =>
  aCustomName.test(tag) && tag.length <= longestName && !takenNames.has(tag)

/** Also of an existing element; null removes it. */
export function setAttribute(
  element: Element,
  [name, value]: readonly [string, string | null],
  { assets, styles }: Builder,
): void {
  const tag = element.localName.toLowerCase()
  if (tag === unseen || styles.changeLink(element, name, value)) return
  const cleansed = value === null ? undefined : cleanseAttribute(name, value, { tag, assets })
  const [prefix = '', local] = name.split(':')
  const space = local === undefined ? undefined : attributeSpaces.get(prefix)
  try {
    if (cleansed !== undefined) {
      if (space === undefined) element.setAttribute(name, cleansed)
      else element.setAttributeNS(space, name, cleansed)
    } else if (canBeRemoved(name)) {
      if (space === undefined) element.removeAttribute(name)
      else element.removeAttributeNS(space, local ?? '')
    }
  } catch {
    // A name that this browser does not allow.
  }
}

/** It holds the frame. */
const canBeRemoved = (name: string) => name.toLowerCase() !== 'sandbox'

/** Before it is in the page, too: an attribute of it would change what is chosen beside it. */
export function applyChecked(element: Element, checked: unknown): void {
  const field = element as Partial<HTMLInputElement & HTMLOptionElement & HTMLSelectElement> & Element
  if (typeof checked !== 'boolean') return
  if (element.localName === 'input') field.checked = checked
  else if (element.localName === 'option') field.selected = checked
  else if (element.localName === 'select' && !checked) field.selectedIndex = -1
}

/** Pages style custom elements by whether they are defined. */
export function define(document: Document, tag: string): void {
  const view = document.defaultView
  if (view === null || !isCustomName(tag) || view.customElements.get(tag) !== undefined) return
  view.customElements.define(tag, class extends view.HTMLElement {})
}

/** One that is there already stays. */
export function attachShadow(
  { host, shadow }: { host: Element; shadow: Json },
  place: Omit<Place, 'parent'>,
  builder: Builder,
): void {
  const id = idOf(shadow.id)
  const tag = host.localName
  if (id === undefined || host.shadowRoot !== null || host.namespaceURI !== spaces.html) return
  if (!shadowHosts.has(tag) && !isCustomName(tag)) return
  if (builder.nodes.get(id) !== undefined) return
  const root = keep(id, host.attachShadow({ mode: 'open' }), builder)
  builder.sheets.adopt(root, numbersOf(shadow.adopted))
  for (const child of buildNodes(shadow.children, { ...place, parent: root }, builder))
    root.appendChild(child)
}

/** Of constructed style sheets. */
export const numbersOf = (list: unknown): number[] => listOf(list).flatMap((number) => numberOf(number) ?? [])
