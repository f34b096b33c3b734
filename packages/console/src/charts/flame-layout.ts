// Lays out the boxes of a flame graph: below their caller, as wide as their time. Boxes narrower than a pixel
// are merged, so that no time is missing and the number of boxes is bounded.

/** The first node is the root; callers precede callees. */
export interface FlameNode {
  /** −1 for the root only. */
  readonly parent: number
  readonly value: number
}

interface FlameBox {
  /** The index of its node; merged boxes are numbered after all nodes. */
  readonly id: number
  /** The id of the box above. */
  readonly parent: number
  readonly depth: number
  readonly x: number
  readonly width: number
  /** Number of merged nodes narrower than a pixel; 0 for a single node. */
  readonly more: number
  /** The callers of the node that the graph is zoomed to. */
  readonly isAbove: boolean
}

export interface FlameTree {
  readonly nodes: readonly FlameNode[]
  /** By index of the caller, widest first. */
  readonly children: readonly (readonly number[])[]
}

const smallest = 1

export function growTree(nodes: readonly FlameNode[]): FlameTree {
  const children: number[][] = nodes.map(() => [])
  for (const [place, { parent }] of nodes.entries()) children[parent]?.push(place)
  const widthOf = (place: number) => nodes[place]?.value ?? 0
  for (const of of children) of.sort((one, other) => widthOf(other) - widthOf(one) || one - other)
  return { nodes, children }
}

/** From the root to the node. */
export function pathTo(nodes: readonly FlameNode[], place: number): number[] {
  const path: number[] = []
  for (let at = place; nodes[at] !== undefined; at = nodes[at]?.parent ?? -1) path.push(at)
  return path.reverse()
}

export function layoutFlame({ nodes, children }: FlameTree, zoom: number, width: number): FlameBox[] {
  const path = pathTo(nodes, zoom)
  const whole = nodes[zoom]?.value ?? 0
  const boxes: FlameBox[] = path.map((id, depth) => ({
    id,
    depth,
    x: 0,
    width,
    more: 0,
    parent: path[depth - 1] ?? -1,
    isAbove: id !== zoom,
  }))
  if (whole <= 0 || width <= 0) return boxes
  const scale = width / whole
  const open = boxes.slice(-1)
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    const { id: parent, depth } = box
    let x = box.x
    let small = 0
    let more = 0
    for (const id of children[parent] ?? []) {
      const wide = (nodes[id]?.value ?? 0) * scale
      if (wide < smallest) {
        small += wide
        more += 1
        continue
      }
      const child = { id, parent, depth: depth + 1, x, width: wide, more: 0, isAbove: false }
      boxes.push(child)
      open.push(child)
      x += wide
    }
    // A merged remainder narrower than a pixel cannot be pointed at.
    if (small >= smallest) {
      const id = nodes.length + parent
      boxes.push({ id, parent, depth: depth + 1, x, width: small, more, isAbove: false })
    }
  }
  return boxes
}
