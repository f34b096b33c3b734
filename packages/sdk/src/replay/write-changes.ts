// Writes what changed in a page since the last time, in the order in which a player can follow: nodes that moved or
// came, shadow roots and documents of frames, attributes, texts, removals, states, and then what others have queued.

import { parts, records } from '@telltale/core/telemetry/replay/codes'
import { guarded } from '../browser/guard.ts'
import { maskText } from './mask-text.ts'
import { hidden } from './masking.ts'
import { getAttribute, parentOf, typeOf } from './natives.ts'
import { aboveOf, groupByParent, runAround } from './place-nodes.ts'
import type { TreeContext } from './tree-context.ts'
import { isBoxAttribute, isEmptyElement, isStyle, shown } from './write-tree.ts'

const limited = 1_000
/** The others belong to its content. */
const boxStates = /^(box|playing)$/

export function* writeChanges(context: TreeContext): Generator<void> {
  const { clock, ids, changes, waiting } = context
  const at = clock.now()
  /** Nodes from here on are written in this run, with their current state. */
  const first = ids.next
  const isOld = (node: Node) => ids.has(node) && ids.of(node) < first
  const isDeferred = deferral(context, at)
  const attributes = take(changes.attributes, isDeferred)
  const texts = take(changes.texts, isDeferred)
  const states = take(waiting.states, isDeferred)
  const { queue } = waiting
  const queued = queue.length
  addChangedFrames(context)
  const hosts = [...waiting.hosts]
  waiting.hosts.clear()
  replaceChanged(context, hosts)
  yield* placeNodes(context, { at, isDeferred, hosts })
  for (const host of hosts) if (isOld(host)) yield* writeInnerRoot(context, host, at)
  for (const [element, names] of attributes) {
    if (!isOld(element)) continue
    if (!changes.isInPlace(element))
      changes.attributes.set(element, new Set([...names, ...(changes.attributes.get(element) ?? [])]))
    else writeAttributes(context, { element, names, at })
    yield
  }
  for (const [text] of texts) {
    if (!isOld(text)) continue
    if (!changes.isInPlace(text)) changes.texts.add(text)
    else writeText(context, text, at)
    yield
  }
  writeRemovals(context, at)
  for (const [node, byName] of states) {
    if (isOld(node))
      for (const [name, write] of byName)
        if (!ids.about(node).isBox || boxStates.test(name)) writeRecord(context, { write, at })
    yield
  }
  // What was queued since it began may depend on changes of the tree that are not written yet. Otherwise, what these
  // queue belongs to it.
  let left = queue.length > queued ? queued : Number.POSITIVE_INFINITY
  while (queue.length > 0 && left-- > 0) {
    const each = queue.shift()
    if (each) writeRecord(context, { write: each.write, at: each.at ?? at })
  }
  context.states.settled()
}

/** A frame that moves begins with another document, some without an event. */
function addChangedFrames({ ids, roots, waiting }: TreeContext): void {
  for (const frame of roots.frames) {
    if (!ids.has(frame)) roots.frames.delete(frame)
    else if (roots.documentOf(frame) !== roots.recordedDocumentOf(frame)) waiting.hosts.add(frame)
  }
}

/** Whether a node is in a part of the page whose changes are not written now. */
function deferral({ waiting: { limit } }: TreeContext, at: number): (node: Node) => boolean {
  if (!limit) return () => false
  const isLate = at - limit.writtenAt < limited
  if (!isLate) limit.writtenAt = at
  // Changes of rules are not held back, and name them by their place in the sheet.
  const isSheet = (node: Node) => /style/i.test(`${node.nodeName} ${parentOf(node)?.nodeName}`)
  return (node) => isLate && !isSheet(node) && (!limit.target || limit.target.contains(node))
}

function take<Key extends Node, Value>(
  from: { entries(): Iterable<[Key, Value]>; delete(key: Key): boolean },
  isDeferred: (node: Node) => boolean,
): [Key, Value][] {
  const taken = [...from.entries()].filter(([node]) => !isDeferred(node))
  for (const [node] of taken) from.delete(node)
  return taken
}

/** What may be recorded of an element can change with its attributes, and of a frame with what it shows. */
export function replaceChanged(
  { ids, masking, states, changes }: TreeContext,
  elements: Iterable<Element>,
): void {
  for (const element of elements) {
    if (!ids.has(element) || isEmptyElement(element)) continue
    const { context, inside, isBox } = ids.about(element)
    if (masking.inside(element, context) !== inside || states.isBox(element) !== isBox)
      changes.replace(element)
  }
}

interface Placing {
  at: number
  /** Whose inner roots are written afterwards. */
  hosts: Element[]
  isDeferred(node: Node): boolean
}

function* placeNodes(context: TreeContext, { at, isDeferred, hosts }: Placing): Generator<void> {
  const { ids, changes } = context
  const nodes = changes.take()
  const groups = groupByParent(nodes)
  const parents = new Map<Node, Node>()
  for (const [parent, children] of groups) for (const node of children) parents.set(node, parent)
  for (const node of nodes) if (!parents.has(node)) changes.drop(node)
  for (const [parent, children] of groups) {
    // A style that moves has its rules anew, before they are changed.
    const holdsRules = (node: Node) => isStyle(node) || !!(node as Partial<Element>).querySelector?.('style')
    if (isDeferred(parent) && !children.some(holdsRules)) continue
    /** What moves once more while this is written is written the next time. */
    const isDue = (node: Node) =>
      changes.isDue(node) && parents.get(node) === parent && parentOf(node) === parent
    for (const node of children) {
      if (!isDue(node)) continue
      if (ids.has(parent) && holdsChildren(context, parent)) {
        if (changes.isInPlace(parent)) yield* writeRun(context, { parent, node, at, isDue, hosts })
      }
      // In no part of the page that is recorded.
      else changes.drop(node)
    }
  }
  changes.putBack()
}

function holdsChildren({ ids }: TreeContext, parent: Node): boolean {
  return parent.nodeType !== 1 || !(ids.about(parent).isBox || isEmptyElement(parent as Element))
}

interface Run {
  parent: Node
  node: Node
  at: number
  hosts: Element[]
  isDue(node: Node): boolean
}

function* writeRun(context: TreeContext, { parent, node, at, hosts, isDue }: Run): Generator<void> {
  const { writer, ids, changes, tree } = context
  const { stream } = writer
  const isPlaced = (each: Node) => ids.has(each) && !changes.isPending(each)
  const { before, nodes } = runAround(node, { isPending: isDue, isPlaced })
  const { inside } = ids.about(parent)
  writer.begin(at)
  stream.byte(records.insert)
  stream.number(ids.of(parent))
  stream.number(ids.of(before))
  for (const each of nodes) {
    // The page changed since the run began.
    if (!ids.has(parent) || !isDue(each) || !changes.isInPlace(parent)) continue
    // In another context, other things of it are masked.
    const about = ids.about(each)
    const isOtherText = typeOf(each) === 3 && about.isBox !== isStyle(parent)
    const isOther = ids.has(each) && (about.context !== inside || isOtherText)
    if (isOther) changes.drop(each)
    if (changes.place(each)) {
      stream.byte(parts.known)
      stream.number(ids.of(each))
      hosts.push(...emptiedFrames(context, each))
    } else {
      tree.node(each, inside)
      yield* context.writeTree()
    }
    yield
  }
  stream.byte(parts.end)
  writer.end()
}

/** A frame begins anew for the player where it moves, also when its document was recorded after the page had moved it. */
function emptiedFrames({ ids, roots, changes }: TreeContext, moved: Node): Element[] {
  return [...roots.frames].filter((frame) => {
    const document = roots.recordedDocumentOf(frame)
    if (!document || !ids.has(document) || document !== roots.documentOf(frame)) return false
    let at: Node | undefined = frame
    while (at && at !== moved) at = aboveOf(at)
    if (at) changes.forget(document)
    return !!at
  })
}

/** A shadow root that was attached to an element that the player has, or the document that its frame shows now. */
function* writeInnerRoot(context: TreeContext, host: Element, at: number): Generator<void> {
  const { writer, ids, roots, tree } = context
  const { stream } = writer
  const root = roots.shadowOf(host) ?? roots.documentOf(host)
  if (!root || ids.has(root) || !holdsChildren(context, host)) return
  if (!context.changes.isInPlace(host)) {
    context.waiting.hosts.add(host)
    return
  }
  const before = roots.recordedDocumentOf(host)
  if (before) {
    context.changes.renew()
    if (!ids.has(host)) return
    context.changes.forget(before)
  }
  roots.watchFrame(host)
  writer.begin(at)
  stream.byte(typeOf(root) === 9 ? records.document : records.shadow)
  stream.number(ids.of(host))
  tree.root(root, ids.about(host).inside)
  yield* context.writeTree()
  writer.end()
}

interface ChangedAttributes {
  element: Element
  names: ReadonlySet<string>
  at: number
}

function writeAttributes(
  { writer, ids, masking }: TreeContext,
  { element, names, at }: ChangedAttributes,
): void {
  const { stream } = writer
  const { context, inside, isBox } = ids.about(element)
  if (isEmptyElement(element)) return
  for (const name of names) {
    if (isBox && !isBoxAttribute(name)) continue
    const value = getAttribute(element, name)
    const masked = value === null ? null : masking.attribute(element, { name, value, context, inside })
    if (masked === undefined) continue
    writer.begin(at)
    stream.byte(masked === null ? records.attributeGone : records.attribute)
    stream.number(ids.of(element))
    stream.text(name)
    if (masked !== null) stream.text(masked)
    writer.end()
  }
}

function writeText({ writer, ids, states }: TreeContext, text: Text, at: number): void {
  const { stream } = writer
  const style = text.parentElement?.localName === 'style' ? text.parentElement : undefined
  const isMasked = !style && (ids.about(text).context & hidden) > 0
  const written = isMasked ? maskText(text.data) : text.data
  if (isMasked && shown.get(text) === written) return
  if (isMasked) shown.set(text, written)
  writer.begin(at)
  stream.byte(records.text)
  stream.number(ids.of(text))
  if (style) states.writeText(style, written, stream)
  else stream.text(written)
  writer.end()
}

function writeRemovals({ writer, changes }: TreeContext, at: number): void {
  if (changes.gone.length === 0) return
  changes.renew()
  const gone = changes.gone.splice(0)
  const { stream } = writer
  writer.begin(at)
  stream.byte(records.remove)
  stream.number(gone.length)
  for (const id of gone) stream.number(id)
  writer.end()
}

interface QueuedRecord {
  write: (stream: TreeContext['writer']['stream'], at: number) => void
  at: number
}

/** One that fails is left out, and nothing else with it. */
const writeRecord = guarded(({ writer }: TreeContext, { write, at }: QueuedRecord) => {
  writer.begin(at)
  write(writer.stream, at)
  writer.end()
})
