// Applies one record of Datadog's change format to a page, operation by operation. Operations on unknown nodes or in an
// unknown form are skipped and counted.

import type { ElementState } from '../replay/operations.ts'
import type { GivenNode, PageNode, RecordedPage, Unwritten } from './recorded-page.ts'
import type { StringTable } from './string-table.ts'
import { type Attached, readSheet, type Sheet } from './style-sheets.ts'
import { playerId } from './write-node.ts'

export interface Changes {
  /** Ids of removed nodes that the player knows, in order of removal. */
  removed: number[]
  added: PageNode[]
  texts: Map<PageNode, string>
  attributes: Map<PageNode, Map<string, string | null>>
  states: Map<PageNode, ElementState>
  /** Of the visual viewport. */
  zoom: { scale: number; x: number; y: number } | undefined
  sheets: Sheet[]
  attached: Attached<PageNode>[]
  /** Number of operations that could not be applied. */
  unknown: number
}

export interface Applied {
  readonly page: RecordedPage
  readonly strings: StringTable
}

type Item = readonly unknown[]
interface Context extends Applied {
  readonly changes: Changes
  /** Nodes from this id on are not known to the player yet. */
  readonly newFrom: number
}

export function applyChanges(data: unknown, applied: Applied): Changes {
  const changes: Changes = {
    removed: [],
    added: [],
    texts: new Map(),
    attributes: new Map(),
    states: new Map(),
    zoom: undefined,
    sheets: [],
    attached: [],
    unknown: 0,
  }
  const context: Context = { ...applied, changes, newFrom: applied.page.nextId }
  for (const change of Array.isArray(data) ? data : []) {
    const [operation, ...items] = Array.isArray(change) ? change : []
    const carryOut = operations.get(operation)
    if (operation === 14) applied.strings.clear()
    else if (carryOut === undefined) changes.unknown++
    else for (const item of items) if (!carryOut(context, item)) changes.unknown++
  }
  // Drop nodes that were added and removed within the same record.
  changes.added = changes.added.filter((node) => applied.page.find(node.id) === node)
  return changes
}

/** Returns false when the operation cannot be applied. */
type CarryOut = (context: Context, item: unknown) => boolean

const onList =
  (carryOut: (context: Context, item: Item) => boolean): CarryOut =>
  (context, item) =>
    Array.isArray(item) && carryOut(context, item)

const onNode = (carryOut: (context: Context, node: PageNode, rest: Item) => boolean): CarryOut =>
  onList((context, [id, ...rest]) => {
    const node = context.page.find(id)
    return node !== undefined && carryOut(context, node, rest)
  })

const operations = new Map<unknown, CarryOut>([
  [0, addString],
  [1, onList(addNode)],
  [2, removeNode],
  [3, onNode(setAttributes)],
  [4, onNode(setText)],
  [5, onNode(setSize)],
  [6, onNode(setScroll)],
  [7, onList(addSheet)],
  [8, onNode(attachSheets)],
  [9, onNode(setMedia)],
  [10, onList(setZoom)],
  [11, onList(addStrings)],
  [12, onNode(setValue)],
  [13, onList(select)],
  // Canvas snapshots are not stored.
  [15, () => true],
])

function addString({ strings }: Context, text: unknown): boolean {
  strings.add(text)
  return true
}

function addStrings({ strings }: Context, [, ...texts]: Item): boolean {
  for (const text of texts) strings.add(text)
  return true
}

function addNode({ page, strings, changes }: Context, [point, name, ...rest]: Item): boolean {
  const node = page.add(point, readNode(strings, name, rest))
  if (node === undefined) return false
  const { attributes } = node.unwritten ?? {}
  if (attributes?.has('selected')) chosenBeside(node)?.add(node)
  node.isBox = node.tag === 'input' && boxTypes.has(attributes?.get('type') ?? '')
  changes.added.push(node)
  return true
}

const kinds: ReadonlyMap<string, GivenNode['kind']> = new Map([
  ['#document', 'document'],
  ['#doctype', 'doctype'],
  ['#text', 'text'],
  ['#cdata-section', 'data'],
  ['#shadow-root', 'shadow'],
])
const svgMark = 'svg>'

function readNode(strings: StringTable, place: unknown, rest: Item): GivenNode | undefined {
  const name = strings.read(place)
  if (name === undefined || name === '') return undefined
  const unwritten: Unwritten = { texts: [], attributes: new Map(), state: {} }
  if (!name.startsWith('#')) {
    for (const pair of rest) {
      const [attribute, value] = Array.isArray(pair) ? pair : []
      const read = strings.read(attribute)
      if (read !== undefined) unwritten.attributes.set(read, strings.read(value) ?? '')
    }
    const isSvg = name.startsWith(svgMark)
    const tag = (isSvg ? name.slice(svgMark.length) : name).toLowerCase()
    return { kind: 'element', tag, isSvg, unwritten }
  }
  const kind = kinds.get(name)
  if (kind === undefined) return undefined
  if (kind === 'text' || kind === 'doctype') {
    for (const each of rest.slice(0, 3)) unwritten.texts.push(strings.read(each) ?? '')
  }
  return { kind, tag: '', isSvg: false, unwritten }
}

function removeNode({ page, changes, newFrom }: Context, id: unknown): boolean {
  const node = page.find(id)
  if (node === undefined || node.parent === undefined) return false
  if (node.id < newFrom) {
    // The player cannot remove a shadow root, so remove its content.
    const gone = node.kind === 'shadow' ? [...contentOf(node)] : [node]
    changes.removed.push(...gone.filter((one) => one.id < newFrom).map(playerId))
  }
  page.remove(node)
  return true
}

function* contentOf({ first }: PageNode): Generator<PageNode> {
  for (let child = first; child !== undefined; child = child.next) yield child
}

/** Part of the node when the player does not have it yet, otherwise a change of it. */
function setAttribute({ changes }: Context, node: PageNode, [name, value]: [string, string | null]): void {
  if (node.unwritten !== undefined) {
    if (value === null) node.unwritten.attributes.delete(name)
    else node.unwritten.attributes.set(name, value)
    return
  }
  const known = changes.attributes.get(node) ?? new Map<string, string | null>()
  changes.attributes.set(node, known.set(name, value))
}

function setState({ changes }: Context, node: PageNode, state: ElementState): void {
  if (node.unwritten === undefined || node.kind !== 'element')
    changes.states.set(node, { ...changes.states.get(node), ...state })
  else node.unwritten.state = { ...node.unwritten.state, ...state }
}

function setAttributes(context: Context, node: PageNode, pairs: Item): boolean {
  for (const pair of pairs) {
    if (!Array.isArray(pair)) continue
    const name = context.strings.read(pair[0])
    const value = pair.length < 2 ? null : (context.strings.read(pair[1]) ?? '')
    if (name === undefined) continue
    setAttribute(context, node, [name, value])
    // The client means the current value by it.
    if (name === 'value' && value !== null && isField(node)) setState(context, node, { value })
    if (name === 'open' && node.tag === 'dialog')
      setState(context, node, { open: value === null ? 'closed' : 'modal' })
  }
  return node.kind === 'element'
}

const isField = ({ tag, isBox }: PageNode) => (tag === 'input' && !isBox) || tag === 'textarea'

function setText({ strings, changes }: Context, node: PageNode, [place]: Item): boolean {
  const text = strings.read(place)
  if (text === undefined || (node.kind !== 'text' && node.kind !== 'data')) return false
  if (node.unwritten === undefined) changes.texts.set(node, text)
  else node.unwritten.texts[0] = text
  return true
}

/** An element hidden from the recorder is shown as a box of its size. */
function setSize(context: Context, node: PageNode, [width, height]: Item): boolean {
  if (!isNumber(width) || !isNumber(height) || node.kind !== 'element') return false
  setState(context, node, { box: { width, height } })
  return true
}

function setScroll(context: Context, node: PageNode, [x, y]: Item): boolean {
  if (!isNumber(x) || !isNumber(y)) return false
  setState(context, node, { scroll: { x, y } })
  return true
}

function setZoom({ changes }: Context, [x, y, , , , , scale]: Item): boolean {
  if (!isNumber(x) || !isNumber(y) || !isNumber(scale)) return false
  changes.zoom = { scale, x, y }
  return true
}

function addSheet({ strings, changes }: Context, [rules, media, isDisabled]: Item): boolean {
  const isWhole = !Array.isArray(rules)
  const places: Item = Array.isArray(rules) ? rules : [rules]
  const readAll = (list: Item) => list.map((place) => strings.read(place) ?? '')
  changes.sheets.push(
    readSheet(readAll(places), {
      media: Array.isArray(media) ? readAll(media) : [],
      isDisabled: isDisabled === true,
      isWhole,
    }),
  )
  return true
}

function attachSheets({ changes }: Context, owner: PageNode, ids: Item): boolean {
  changes.attached.push({ owner, ids: ids.filter(isNumber) })
  return true
}

function setMedia(context: Context, node: PageNode, [state]: Item): boolean {
  setState(context, node, { playing: state === 0 })
  return true
}

function setValue(context: Context, node: PageNode, [place]: Item): boolean {
  const text = context.strings.read(place)
  if (text === undefined || node.kind !== 'element') return false
  setState(context, node, { value: text })
  return true
}

function select(context: Context, [state, ...ids]: Item): boolean {
  let isKnown = true
  for (const id of ids) {
    const node = context.page.find(id)
    if (node === undefined) isKnown = false
    else if (node.tag === 'option') selectOption(context, node, state === 0)
    else setState(context, node, { checked: state === 0 })
  }
  return isKnown
}

/** For a `select` the client only reports the chosen option, so deselect the others. */
function selectOption(context: Context, option: PageNode, isSelected: boolean): void {
  const chosen = chosenBeside(option)
  for (const other of isSelected ? (chosen ?? []) : []) {
    if (other !== option) setState(context, other, { checked: false })
  }
  if (isSelected) chosen?.clear()
  else chosen?.delete(option)
  if (isSelected) chosen?.add(option)
  setState(context, option, { checked: isSelected })
}

function chosenBeside({ tag, parent }: PageNode): Set<PageNode> | undefined {
  const list = parent?.tag === 'optgroup' ? parent.parent : parent
  if (tag !== 'option' || list?.tag !== 'select') return undefined
  list.chosen ??= new Set()
  return list.chosen
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const boxTypes = new Set(['checkbox', 'radio'])
