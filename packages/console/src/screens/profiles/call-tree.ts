// A flame graph for the screens: a tree below one root with mean times per profile; inverted; summed by
// function; and the callers and callees of a function.

import type { FlameGraph, ProfiledFrame } from '../../api/profiles.ts'
import { keyOf } from '../../ui/text/function-key.ts'

export interface CallNode {
  /** Undefined: the root, the whole page. */
  readonly frame: ProfiledFrame | undefined
  readonly parent: number
  /** Total time: its width. */
  readonly value: number
  /** Self time. */
  readonly self: number
}

export interface FunctionTime {
  readonly frame: ProfiledFrame
  readonly self: number
  readonly total: number
}

type Summed = Pick<FlameGraph, 'frames' | 'nodes' | 'totalMs' | 'profiles'>

/** The root first, callers before callees. Times are per profile. */
export function callTree({ frames, nodes, totalMs, profiles }: Summed): CallNode[] {
  const share = 1 / Math.max(1, profiles)
  const root: CallNode = { frame: undefined, parent: -1, value: totalMs * share, self: 0 }
  return [
    root,
    ...nodes.map(({ frame, parent, selfMs, totalMs }) => ({
      frame: frames[frame],
      parent: parent + 1,
      value: totalMs * share,
      self: selfMs * share,
    })),
  ]
}

/** Bottom-up: from the functions with self time to their callers. */
export function invertTree(nodes: readonly CallNode[]): CallNode[] {
  const [root] = nodes
  if (root === undefined) return []
  const found: { frame: ProfiledFrame | undefined; parent: number; value: number; self: number }[] = [
    { ...root },
  ]
  const places = new Map<string, number>()
  for (const { self, ...leaf } of nodes) {
    if (self <= 0 || leaf.frame === undefined) continue
    let parent = 0
    for (let at: Pick<CallNode, 'frame' | 'parent'> | undefined = leaf; at?.frame; at = nodes[at.parent]) {
      const key = `${parent} ${keyOf(at.frame)}`
      const place: number = places.get(key) ?? found.length
      if (place === found.length) {
        places.set(key, place)
        found.push({ frame: at.frame, parent, value: 0, self: 0 })
      }
      const node = found[place]
      if (node) node.value += self
      if (node && parent === 0) node.self += self
      parent = place
    }
  }
  return found
}

/** One entry per function. For a recursive one, the outermost call contains its total time. */
export function functionTimes(nodes: readonly CallNode[]): FunctionTime[] {
  const found = new Map<string, { frame: ProfiledFrame; self: number; total: number }>()
  for (const node of nodes) {
    if (node.frame === undefined) continue
    const key = keyOf(node.frame)
    const known = found.get(key) ?? { frame: node.frame, self: 0, total: 0 }
    found.set(key, known)
    known.self += node.self
    if (!isWithin(nodes, node, key)) known.total += node.value
  }
  return [...found.values()].sort((one, other) => other.self - one.self)
}

export interface Relation {
  /** Undefined: no caller, the page itself. */
  readonly frame: ProfiledFrame | undefined
  readonly value: number
}

/** Callers and callees of a function, each by its part of the function's time. */
export function relationsOf(
  nodes: readonly CallNode[],
  key: string,
): { callers: Relation[]; callees: Relation[] } {
  const callers = new Map<string, { frame: ProfiledFrame | undefined; value: number }>()
  const callees = new Map<string, { frame: ProfiledFrame | undefined; value: number }>()
  const note = (to: typeof callers, frame: ProfiledFrame | undefined, value: number) => {
    const name = frame === undefined ? '' : keyOf(frame)
    const known = to.get(name) ?? { frame, value: 0 }
    known.value += value
    to.set(name, known)
  }
  for (const node of nodes) {
    if (node.frame === undefined) continue
    const caller = nodes[node.parent]
    const isOfIt = keyOf(node.frame) === key
    if (isOfIt && !isWithin(nodes, node, key)) note(callers, caller?.frame, node.value)
    if (!isOfIt && caller?.frame && keyOf(caller.frame) === key) note(callees, node.frame, node.value)
  }
  const sorted = (of: typeof callers) => [...of.values()].sort((one, other) => other.value - one.value)
  return { callers: sorted(callers), callees: sorted(callees) }
}

function isWithin(nodes: readonly CallNode[], { parent }: CallNode, key: string): boolean {
  for (let at = nodes[parent]; at?.frame; at = nodes[at.parent]) if (keyOf(at.frame) === key) return true
  return false
}

const separator = '.'

/** The path of a node, for the URL. */
export function printPath(nodes: readonly CallNode[], place: number): string {
  const names: string[] = []
  for (let at = nodes[place]; at?.frame; at = nodes[at.parent]) names.push(keyOf(at.frame))
  return names.reverse().join(separator)
}

/** The node of a path in the URL, or its deepest existing ancestor. */
export function findPath(nodes: readonly CallNode[], path: string): number {
  const names = path.split(separator)
  let at = 0
  for (const [place, { frame, parent }] of nodes.entries()) {
    if (names.length === 0) break
    if (parent !== at || frame === undefined || keyOf(frame) !== names[0]) continue
    at = place
    names.shift()
  }
  return at
}
