// Writes nodes of a recorded page as nodes of a replay.

import type { ElementState, NodeId, ReplayDocument, ReplayNode } from '../replay/operations.ts'
import type { PageNode, Unwritten } from './recorded-page.ts'

/** Ids start at 0 in the page model and at 1 in the player. */
export const playerId = ({ id }: Pick<PageNode, 'id'>): NodeId => id + 1

export function writeDocument(root: PageNode): ReplayDocument {
  root.unwritten = undefined
  return { id: playerId(root), children: writeChildren(root) }
}

/** A node with its descendants; undefined for what no player shows. */
export function writeNode(node: PageNode): ReplayNode | undefined {
  const { kind, unwritten } = node
  const id = playerId(node)
  node.unwritten = undefined
  switch (kind) {
    case 'doctype':
      return { kind, id }
    case 'text':
      return { kind, id, text: unwritten?.texts[0] ?? '' }
    case 'data':
      return { kind: 'text', id, text: '' }
    case 'element':
      return writeElement(node, id, unwritten)
    default:
      return undefined
  }
}

function writeElement(node: PageNode, id: NodeId, unwritten: Unwritten | undefined): ReplayNode {
  const { tag, shadow, isSvg } = node
  const attributes = Object.fromEntries(unwritten?.attributes ?? [])
  const state = stateOf(node, unwritten)
  if (shadow !== undefined) shadow.unwritten = undefined
  return {
    kind: 'element',
    id,
    tag,
    attributes,
    children: writeChildren(node),
    ...(isSvg && { space: 'svg' }),
    ...(Object.keys(state).length > 0 && { state }),
    ...(shadow !== undefined && { shadow: { id: playerId(shadow), children: writeChildren(shadow) } }),
  }
}

function stateOf({ tag, isSvg, isBox }: PageNode, unwritten: Unwritten | undefined): ElementState {
  const value = unwritten?.attributes.get('value')
  const isField = (tag === 'input' && !isBox) || tag === 'textarea' || tag === 'select'
  return {
    ...(isField && value !== undefined && { value }),
    // Nearly all custom elements are defined, and style sheets often hide undefined ones (`:not(:defined)`).
    ...(!isSvg && tag.includes('-') && { defined: true }),
    ...unwritten?.state,
  }
}

function writeChildren({ first }: PageNode): ReplayNode[] {
  const children: ReplayNode[] = []
  for (let child = first; child !== undefined; child = child.next) {
    const written = writeNode(child)
    if (written !== undefined) children.push(written)
  }
  return children
}
