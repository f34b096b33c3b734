// Models the page of a Datadog recording between two records: which node is where. Nodes are numbered in order of
// creation and can only be placed next to or into existing nodes, so no recording can create a cycle.

import type { ElementState } from '../replay/operations.ts'
import { RecordingTooLarge } from '../replay/read-bytes.ts'

type NodeKind = 'document' | 'doctype' | 'element' | 'text' | 'data' | 'shadow' | 'other'

/** The content of a node until it is written; once the player has it, only its position matters. */
export interface Unwritten {
  /** The content of a text node; name, public and system id of a doctype. */
  readonly texts: string[]
  readonly attributes: Map<string, string>
  state: ElementState
}

export interface PageNode {
  readonly id: number
  readonly kind: NodeKind
  /** Lower case. */
  readonly tag: string
  readonly isSvg: boolean
  readonly depth: number
  unwritten: Unwritten | undefined
  /** A checkbox or a radio button: its value is what it submits. */
  isBox: boolean
  /** The selected options of a `select`. */
  chosen: Set<PageNode> | undefined
  parent: PageNode | undefined
  previous: PageNode | undefined
  next: PageNode | undefined
  first: PageNode | undefined
  last: PageNode | undefined
  /** Its shadow root, which is also one of its children. */
  shadow: PageNode | undefined
}

export type GivenNode = Pick<PageNode, 'kind' | 'tag' | 'isSvg'> & { unwritten: Unwritten }

export interface RecordedPage {
  /** The id of the next node. */
  readonly nextId: number
  readonly count: number
  readonly root: PageNode | undefined
  find(id: unknown): PageNode | undefined
  /** Uses up an id even when the node cannot be placed; returns undefined then. */
  add(point: unknown, given: GivenNode | undefined): PageNode | undefined
  /** Removes the node and its descendants. */
  remove(node: PageNode): void
  clear(): void
}

/** Bounds the nesting depth: nodes are written recursively, and no player shows deeper ones. */
const deepest = 600
const nodesAtMost = 500_000
const parents = new Set<NodeKind>(['document', 'element', 'shadow'])

export function createRecordedPage(): RecordedPage {
  let nodes = new Map<number, PageNode>()
  let nextId = 0
  let root: PageNode | undefined

  const positionOf = (point: unknown): { parent: PageNode; before: PageNode | undefined } | undefined => {
    if (!Number.isSafeInteger(point)) return undefined
    const steps = Number(point)
    const beside = nodes.get(steps === 0 ? nextId - 1 : steps > 0 ? nextId - steps : nextId + steps)
    if (beside === undefined) return undefined
    if (steps > 0) return { parent: beside, before: undefined }
    const { parent } = beside
    return parent && { parent, before: steps === 0 ? beside.next : beside }
  }
  const fits = (parent: PageNode, { kind }: GivenNode) => {
    if (!parents.has(parent.kind) || parent.depth >= deepest || kind === 'document') return false
    return kind !== 'shadow' || (parent.kind === 'element' && parent.shadow === undefined)
  }
  const keep = (given: GivenNode, parent: PageNode | undefined): PageNode => {
    const node: PageNode = {
      ...given,
      id: nextId,
      depth: (parent?.depth ?? -1) + 1,
      isBox: false,
      chosen: undefined,
      parent,
      previous: undefined,
      next: undefined,
      first: undefined,
      last: undefined,
      shadow: undefined,
    }
    if (nodes.size >= nodesAtMost) throw new RecordingTooLarge()
    nodes.set(nextId, node)
    return node
  }
  const put = (point: unknown, given: GivenNode): PageNode | undefined => {
    if (point === null) {
      if (root !== undefined || given.kind !== 'document') return undefined
      root = keep(given, undefined)
      return root
    }
    const place = positionOf(point)
    if (place === undefined || !fits(place.parent, given)) return undefined
    const node = keep(given, place.parent)
    linkIn(node, place.parent, place.before)
    return node
  }
  return {
    get nextId() {
      return nextId
    },
    get count() {
      return nodes.size
    },
    get root() {
      return root
    },
    find: (id) => (typeof id === 'number' ? nodes.get(id) : undefined),
    add(point, given) {
      const node = given && put(point, given)
      nextId++
      return node
    },
    remove(node) {
      linkOut(node)
      const waiting = [node]
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        nodes.delete(one.id)
        for (let child = one.first; child !== undefined; child = child.next) waiting.push(child)
      }
      if (node === root) root = undefined
    },
    clear() {
      nodes = new Map()
      nextId = 0
      root = undefined
    },
  }
}

function linkIn(node: PageNode, parent: PageNode, before: PageNode | undefined): void {
  node.next = before
  node.previous = before === undefined ? parent.last : before.previous
  if (node.previous === undefined) parent.first = node
  else node.previous.next = node
  if (before === undefined) parent.last = node
  else before.previous = node
  if (node.kind === 'shadow') parent.shadow = node
}

function linkOut(node: PageNode): void {
  const { parent, previous, next } = node
  if (previous !== undefined) previous.next = next
  else if (parent !== undefined) parent.first = next
  if (next !== undefined) next.previous = previous
  else if (parent !== undefined) parent.last = previous
  if (parent?.shadow === node) parent.shadow = undefined
  node.parent = undefined
  node.previous = undefined
  node.next = undefined
}
