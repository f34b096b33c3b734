// Nodes of a stored recording in the format `rrweb-2`, as nodes of a replay. Unknown forms are left out.

import type {
  ElementState,
  NodeId,
  OpenState,
  ReplayDocument,
  ReplayElement,
  ReplayNode,
} from './operations.ts'
import { RecordingTooLarge } from './read-bytes.ts'
import { isObject, type JsonObject, listOf, numberOf, stringOf } from './read-json.ts'

/** Deeper trees than browsers build: recursion would overflow the stack. */
const deepest = 600
const nodesAtMost = 300_000
const types = { document: 0, doctype: 1, element: 2, text: 3, data: 4 } as const
/** In a field, `value` is a state: what it was before may be an attribute. */
const valueFields = new Set(['input', 'textarea', 'select'])
/** The value of these is what they submit, and no state. */
const boxes = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image'])
const popoverMark = 'data-telltale-popover'

/** Its shadow roots have no number: theirs is above those of all nodes. */
const shadowIds = 2 ** 40
export const shadowIdOf = (host: NodeId): NodeId => host + shadowIds

export function nodeIdOf(value: unknown): NodeId | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < shadowIds
    ? Number(value)
    : undefined
}

export const isDocument = (node: JsonObject): boolean => node.type === types.document

interface Around {
  depth: number
  /** Of one event. */
  count: { nodes: number }
}

/** @throws RecordingTooLarge */
export function convertDocument(node: unknown): ReplayDocument | undefined {
  return documentOf(node, { depth: 0, count: { nodes: 0 } })
}

/** @throws RecordingTooLarge */
export function convertNode(node: unknown): ReplayNode | undefined {
  return nodeOf(node, { depth: 0, count: { nodes: 0 } })
}

function documentOf(node: unknown, around: Around): ReplayDocument | undefined {
  const id = isObject(node) && isDocument(node) ? nodeIdOf(node.id) : undefined
  if (id === undefined || !isObject(node)) return undefined
  return {
    id,
    ...(node.compatMode === 'BackCompat' && { isQuirky: true }),
    children: childrenOf(node, around, false),
  }
}

function childrenOf(node: JsonObject, { depth, count }: Around, inShadow: boolean): ReplayNode[] {
  return listOf(node.childNodes).flatMap((child) => {
    if (!isObject(child) || (child.isShadow === true) !== inShadow) return []
    return nodeOf(child, { depth: depth + 1, count }) ?? []
  })
}

function nodeOf(node: unknown, around: Around): ReplayNode | undefined {
  if (!isObject(node)) return undefined
  const id = nodeIdOf(node.id)
  if (id === undefined) return undefined
  around.count.nodes++
  if (around.depth > deepest || around.count.nodes > nodesAtMost) throw new RecordingTooLarge()
  if (node.type === types.element) return elementOf(node, id, around)
  if (node.type === types.doctype) return { kind: 'doctype', id }
  const isText = node.type === types.text || node.type === types.data
  return isText ? { kind: 'text', id, text: stringOf(node.textContent) } : undefined
}

function elementOf(node: JsonObject, id: NodeId, around: Around): ReplayElement {
  const tag = stringOf(node.tagName)
  const { attributes, state } = readAttributes(tag, isObject(node.attributes) ? node.attributes : {})
  const whole = { ...state, ...(node.isCustom === true && { defined: true }) }
  const shadow = childrenOf(node, around, true)
  const isHost = node.isShadowHost === true || shadow.length > 0
  const [document] = tag === 'iframe' ? listOf(node.childNodes).map((child) => documentOf(child, around)) : []
  return {
    kind: 'element',
    id,
    tag,
    attributes,
    ...(node.isSVG === true && { space: 'svg' }),
    ...(Object.keys(whole).length > 0 && { state: whole }),
    ...(isHost && { shadow: { id: shadowIdOf(id), children: shadow } }),
    ...(document !== undefined && { document }),
    children: childrenOf(node, around, false),
  }
}

type Writable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] }
interface Read {
  attributes: Record<string, string>
  state: Writable<ElementState>
}

/** Part of what is recorded as attributes are states of the element. */
function readAttributes(tag: string, recorded: JsonObject): Read {
  const attributes: [string, string][] = []
  const state = readStates(recorded)
  if (valueFields.has(tag) && !boxes.has(stringOf(recorded.type)) && typeof recorded.value === 'string')
    state.value = recorded.value
  for (const [name, value] of Object.entries(recorded)) {
    if (isState(name)) continue
    if (name === 'checked' || name === 'selected') state.checked = value !== false && value !== null
    else if (name === 'value' && (tag === 'textarea' || tag === 'select')) continue
    else {
      const text = attributeText(value)
      if (text !== undefined) attributes.push([name, text])
    }
  }
  if (tag === 'img' && typeof recorded.rr_dataURL === 'string') attributes.push(['src', recorded.rr_dataURL])
  return { attributes: Object.fromEntries(attributes), state }
}

export const isState = (name: string): boolean =>
  name === '_cssText' || name === popoverMark || name.startsWith('rr_')

export function attributeText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === true) return ''
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : undefined
}

/** Those that have names of their own. A mark that is null is gone. */
export function readStates(recorded: JsonObject): Writable<ElementState> {
  const state: Writable<ElementState> = {}
  if (typeof recorded._cssText === 'string') state.sheet = recorded._cssText
  const [width, height] = [pixels(recorded.rr_width), pixels(recorded.rr_height)]
  if (width !== undefined && height !== undefined) state.box = { width, height }
  const [x, y] = [numberOf(recorded.rr_scrollLeft), numberOf(recorded.rr_scrollTop)]
  if (x !== undefined || y !== undefined) state.scroll = { x: x ?? 0, y: y ?? 0 }
  if (recorded.rr_mediaState === 'played' || recorded.rr_mediaState === 'paused')
    state.playing = recorded.rr_mediaState === 'played'
  if (recorded.rr_open_mode !== undefined) state.open = openStateOf(recorded)
  if (popoverMark in recorded) state.open = recorded[popoverMark] === null ? 'closed' : 'popover'
  return state
}

function openStateOf({ open, rr_open_mode: mode }: JsonObject): OpenState {
  if (open === null) return 'closed'
  return mode === 'modal' ? 'modal' : 'open'
}

function pixels(value: unknown): number | undefined {
  const size = typeof value === 'string' ? Number.parseFloat(value) : numberOf(value)
  return size !== undefined && Number.isFinite(size) ? size : undefined
}
