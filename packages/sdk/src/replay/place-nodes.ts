// Where nodes that came or moved belong: as runs of siblings, in an order in which the player can follow. Parents come
// before what is deeper, so that no node is ever to be put into itself; within a parent, each run ends at a sibling
// that the player has in its place already.

import { nextOf, parentOf, previousOf, typeOf } from './natives.ts'

export interface Run {
  parent: Node
  /** The player has it after them; undefined at the end. */
  before: Node | undefined
  nodes: Node[]
}

export interface Siblings {
  /** It is one of those to be placed. */
  isPending(node: Node): boolean
  /** The player has it. */
  isPlaced(node: Node): boolean
}

/** By their parent, outer ones first. Nodes without one are left out. */
export function groupByParent(nodes: Iterable<Node>): Map<Node, Node[]> {
  const groups = new Map<Node, Node[]>()
  for (const node of nodes) {
    const parentNode = parentOf(node)
    if (!parentNode) continue
    const group = groups.get(parentNode)
    if (group) group.push(node)
    else groups.set(parentNode, [node])
  }
  if (groups.size < 2) return groups
  const depths = new Map<Node, number>()
  const depthOf = (node: Node) => {
    const path: Node[] = []
    let at: Node | undefined = node
    while (at && !depths.has(at)) {
      path.push(at)
      at = aboveOf(at)
    }
    let depth = at ? (depths.get(at) ?? 0) : 0
    for (const each of path.reverse()) depths.set(each, ++depth)
    return depth
  }
  return new Map([...groups].sort(([one], [other]) => depthOf(one) - depthOf(other)))
}

/** The run of siblings around a node. */
export function runAround(node: Node, { isPending, isPlaced }: Siblings): Omit<Run, 'parent'> {
  let first = node
  for (let at = previousOf(node); at; at = previousOf(at)) {
    if (isPending(at)) first = at
    else if (isPlaced(at)) break
  }
  const nodes: Node[] = []
  let before: Node | undefined
  for (let at: Node | null = first; at; at = nextOf(at)) {
    if (isPending(at)) nodes.push(at)
    else if (isPlaced(at)) {
      before = at
      break
    }
  }
  return { before, nodes }
}

/** Also from a root to its host. */
export const aboveOf = (node: Node): Node | undefined => parentOf(node) ?? hostOf(node)

/** Of a shadow root or the document of a frame. */
export function hostOf(root: Node): Node | undefined {
  if (typeOf(root) === 11) return (root as ShadowRoot).host
  try {
    return (root as Document).defaultView?.frameElement ?? undefined
  } catch {
    // The frame went to another origin.
    return undefined
  }
}
