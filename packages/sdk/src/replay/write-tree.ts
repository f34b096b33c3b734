// Writes nodes with all that is in them, in steps: a page of any size is written without blocking it. The page may
// change between two steps. Nodes that came or moved meanwhile are left out: they are placed afterwards.

import { parts } from '@telltale/core/telemetry/replay/codes'
import { toolbarTag } from '../browser/listen.ts'
import type { InnerRoots } from './inner-roots.ts'
import { maskText } from './mask-text.ts'
import type { Context, Masking } from './masking.ts'
import { attributesOf, firstOf, nameOf, nextOf, parentOf, typeOf } from './natives.ts'
import type { NodeIds } from './node-ids.ts'
import type { PageStates } from './page-records.ts'
import type { Stream } from './stream.ts'
import type { TreeChanges } from './tree-changes.ts'

export interface TreeWriterOptions {
  stream: Stream
  ids: NodeIds
  masking: Masking
  states: PageStates
  roots: InnerRoots
  /** A root is being written: its changes are to be observed. */
  onRoot(root: Document | ShadowRoot): void
  /** What is pending is placed afterwards. */
  changes: Pick<TreeChanges, 'isPending' | 'isInPlace' | 'postpone'>
}

export interface TreeWriter {
  /** What is written next: the content of a document or shadow root, whose record or part has begun. */
  root(root: Document | ShadowRoot, context: Context): void
  /** A node and its content, and nothing when it is not recorded. */
  node(node: Node, context: Context): void
  /** One node. False: everything is written. */
  step(): boolean
  /** The page has changed since the last step. */
  resume(): void
}

interface Open {
  node: Node
  next: Node | null
  context: Context
}

/** They show nothing, but count for selectors such as `:nth-child`. */
const empty = /^(script|noscript|meta|template|base)$/
/** Of a box: what decides where it stands. */
const placing = /^(class|id|style|hidden|open|slot|align|part|x|y)$/
const svg = 'http://www.w3.org/2000/svg'
const math = 'http://www.w3.org/1998/Math/MathML'

/** Masked texts that were written as changes: a masked clock shows the same text all day. */
export const shown = new WeakMap<Node, string | undefined>()

export const isBoxAttribute = (name: string) => placing.test(name)
/** Text in it is rules, which are not masked. */
export const isStyle = (node: Node | null) => (node as Element | null)?.localName === 'style'
export const isEmptyElement = ({ localName }: Element) => empty.test(localName)

export function createTreeWriter(options: TreeWriterOptions): TreeWriter {
  const { stream, ids, masking, states, roots, onRoot, changes } = options
  const open: Open[] = []

  const enter = (node: Node, context: Context) => {
    open.push({ node, next: firstOf(node), context })
  }
  const root = (root: Document | ShadowRoot, context: Context) => {
    ids.give(root, { context, inside: context, isBox: false })
    onRoot(root)
    states.writeRoot(root, stream)
    enter(root, context)
  }
  const writeText = (text: Text, context: Context) => {
    const { parentElement: parent, data } = text
    const isRules = isStyle(parent)
    ids.give(text, { context, inside: context, isBox: isRules })
    shown.delete(text)
    stream.byte(parts.text)
    if (parent && isRules) states.writeText(parent, data, stream)
    else stream.text(context & 1 ? maskText(data) : data)
  }
  const writeElement = (element: Element, context: Context) => {
    const inside = masking.inside(element, context)
    const isEmpty = isEmptyElement(element)
    const isBox = !isEmpty && states.isBox(element)
    ids.give(element, { context, inside, isBox })
    const { namespaceURI: space } = element
    stream.byte(space === svg ? parts.svg : space === math ? parts.math : parts.element)
    stream.text(nameOf(element))
    const kept: string[] = []
    for (const { name, value } of isEmpty ? [] : attributesOf(element)) {
      if (isBox && !placing.test(name)) continue
      const masked = masking.attribute(element, { name, value, context, inside })
      if (masked !== undefined) kept.push(name, masked)
    }
    stream.number(kept.length / 2)
    for (const text of kept) stream.text(text)
    if (!isEmpty) states.write(element, stream)
    roots.watchFrame(element)
    if (isEmpty || isBox) return stream.byte(parts.end)
    enter(element, inside)
    const shadow = roots.shadowOf(element)
    const document = roots.documentOf(element)
    if (shadow) stream.byte(parts.shadow)
    else if (document) stream.byte(parts.document)
    const inner = shadow ?? document
    if (inner) root(inner, inside)
  }
  const node = (node: Node, context: Context) => {
    const type = typeOf(node)
    if (!isRecorded(node)) return
    if (type === 1) writeElement(node as Element, context)
    else if (type === 3 || type === 4) writeText(node as Text, context)
    else {
      ids.give(node, { context, inside: context, isBox: false })
      stream.byte(parts.doctype)
    }
  }
  const isNew = (node: Node) => !ids.has(node) && !changes.isPending(node) && isRecorded(node)
  return {
    root,
    node,
    step() {
      const at = open.at(-1)
      if (!at) return false
      const { next } = at
      if (!next) {
        stream.byte(parts.end)
        open.pop()
        return open.length > 0
      }
      at.next = nextOf(next)
      if (!changes.isPending(next) && !ids.has(next)) node(next, at.context)
      return true
    },
    resume() {
      let hasMoved = !changes.isInPlace(open[0]?.node)
      for (const at of open) {
        hasMoved ||= changes.isPending(at.node)
        if (!ids.has(at.node)) at.next = null
        // What is before it is written or pending, what is after it is neither.
        if (!at.next || (!hasMoved && parentOf(at.next) === at.node && !changes.isPending(at.next))) continue
        at.next = firstOf(at.node)
        // The player moves what it is in later, which would undo states that were written before.
        for (; at.next && (hasMoved || !isNew(at.next)); at.next = nextOf(at.next))
          if (isNew(at.next)) changes.postpone(at.next)
      }
    },
  }
}

/** Comments, processing instructions and the toolbar are not. */
export function isRecorded(node: Node): boolean {
  const type = typeOf(node)
  return (type === 1 && nameOf(node as Element) !== toolbarTag) || type === 3 || type === 4 || type === 10
}
