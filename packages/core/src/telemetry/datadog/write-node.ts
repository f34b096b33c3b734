// Writes nodes of a recorded page in rrweb 2's format. It has no node for a shadow root: the root's children are
// written as children of the host and marked.

import type { PageNode } from './recorded-page.ts'

type Value = string | number | boolean

export interface WrittenNode {
  readonly type: number
  readonly id: number
  readonly isShadow?: true
  readonly [member: string]: unknown
}

export interface WrittenPlace {
  parentId: number
  nextId: number | null
  node: WrittenNode
}

const types = { document: 0, doctype: 1, element: 2, text: 3, data: 4 } as const
/** Ids start at 0 in the page model and at 1 in the player. */
export const playerId = ({ id, kind, parent }: PageNode): number =>
  kind === 'shadow' && parent !== undefined ? parent.id + 1 : id + 1

/** The position from which to remove a node. */
export function placeOf(node: PageNode): { parentId: number; id: number; isShadow?: true } | undefined {
  const { parent } = node
  if (parent === undefined) return undefined
  return { parentId: playerId(parent), id: playerId(node), ...inShadow(node) }
}

const inShadow = ({ parent }: PageNode) => (parent?.kind === 'shadow' ? ({ isShadow: true } as const) : {})

/** Writes a node with its descendants. */
export function writeTree(node: PageNode): WrittenNode {
  const childNodes = [...shownChildren(node)].map(writeTree)
  return writeNode(node, childNodes)
}

/** Yields an added node and its descendants one by one, parents first. */
export function* writeAdded(added: PageNode): Generator<WrittenPlace> {
  const waiting = [added]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { parent } = node
    if (parent !== undefined && node.kind !== 'shadow') {
      const nextId = node === added ? nextIdOf(node) : null
      yield { parentId: playerId(parent), nextId, node: writeNode(node, []) }
    }
    // Push in reverse, so that the first child is popped first.
    for (const child of [...shownChildren(node)].reverse()) waiting.push(child)
  }
}

function nextIdOf({ next }: PageNode): number | null {
  const shown = next?.kind === 'shadow' ? next.next : next
  return shown === undefined ? null : playerId(shown)
}

function* shownChildren(node: PageNode): Generator<PageNode> {
  if (node.shadow !== undefined) yield* childrenOf(node.shadow)
  for (const child of childrenOf(node)) if (child.kind !== 'shadow') yield child
}

function* childrenOf({ first }: PageNode): Generator<PageNode> {
  for (let child = first; child !== undefined; child = child.next) yield child
}

function writeNode(node: PageNode, childNodes: WrittenNode[]): WrittenNode {
  const { kind, tag, unwritten } = node
  const own = { id: playerId(node), ...inShadow(node) }
  const [text = '', publicId = '', systemId = ''] = unwritten?.texts ?? []
  const attributes = unwritten?.attributes ?? new Map<string, string>()
  node.unwritten = undefined
  switch (kind) {
    case 'document':
      return { ...own, type: types.document, childNodes }
    case 'doctype':
      return { ...own, type: types.doctype, name: text, publicId, systemId }
    case 'text':
      return { ...own, type: types.text, textContent: text }
    case 'data':
      return { ...own, type: types.data, textContent: '' }
    default:
      return {
        ...{ ...own, type: types.element, tagName: tag, attributes: writeAttributes(attributes), childNodes },
        ...(node.isSvg && { isSVG: true }),
        ...(node.shadow !== undefined && { isShadowHost: true }),
        // Nearly all custom elements are defined, and style sheets often hide undefined ones (`:not(:defined)`).
        ...(!node.isSvg && tag.includes('-') && { isCustom: true }),
      }
  }
}

const numbers = new Set(['rr_scrollLeft', 'rr_scrollTop'])

function writeAttributes(attributes: ReadonlyMap<string, string>): Record<string, Value> {
  const written = [...attributes].map(([name, value]): [string, Value] => [
    name,
    numbers.has(name) ? Number(value) : value,
  ])
  return Object.fromEntries(written)
}
