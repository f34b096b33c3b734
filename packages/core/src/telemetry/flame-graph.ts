// Stacks with their own time, as one tree: every function in its place below what called it, with the time of everything
// that it called. The smallest parts are left out, and their time is told.

export interface TimedStack {
  /** From the outermost in. */
  frames: readonly string[]
  selfMs: number
  samples: number
}

export interface FlameNode {
  /** Its place among `frames`. */
  frame: number
  /** Index of the calling node; -1: none. */
  parent: number
  selfMs: number
  totalMs: number
  samples: number
}

export interface FlameGraph {
  frames: string[]
  /** Callers before what they call. */
  nodes: FlameNode[]
  /** Own time of what was left out. */
  restMs: number
}

/** Less of all time cannot be seen in a drawing. */
const smallestShare = 0.0002
/** More than stacks hold: a place and a function are one number. */
const framesAtMost = 2 ** 24

export function flameGraph(stacks: readonly TimedStack[], most: number): FlameGraph {
  const frames = new Map<string, number>()
  const children = new Map<number, number>()
  const nodes: FlameNode[] = []
  let all = 0
  for (const { frames: texts, selfMs, samples } of stacks) {
    all += selfMs
    let parent = -1
    for (const text of texts) {
      const frame = frames.get(text) ?? frames.size
      frames.set(text, frame)
      const key = (parent + 1) * framesAtMost + frame
      const place: number = children.get(key) ?? nodes.length
      if (place === nodes.length) {
        children.set(key, place)
        nodes.push({ frame, parent, selfMs: 0, totalMs: 0, samples: 0 })
      }
      const node = nodes[place]
      if (node) node.totalMs += selfMs
      parent = place
    }
    const innermost = nodes[parent]
    if (innermost === undefined) continue
    innermost.selfMs += selfMs
    innermost.samples += samples
  }
  return prune(nodes, { texts: [...frames.keys()], all, most })
}

/** What calls takes at least as long as what it calls: the largest nodes are a tree again. */
function prune(
  nodes: readonly FlameNode[],
  { texts, all, most }: { texts: readonly string[]; all: number; most: number },
): FlameGraph {
  const kept = nodes
    .map((node, place) => ({ node, place }))
    .filter(({ node }) => node.totalMs >= all * smallestShare)
    .sort((one, other) => other.node.totalMs - one.node.totalMs || one.place - other.place)
    .slice(0, most)
    .sort((one, other) => one.place - other.place)
  const placeOf = new Map(kept.map(({ place }, index) => [place, index]))
  const frames = new Map<number, number>()
  const pruned = kept.map(({ node }) => {
    const frame = frames.get(node.frame) ?? frames.size
    frames.set(node.frame, frame)
    return { ...node, frame, parent: placeOf.get(node.parent) ?? -1 }
  })
  const own = pruned.reduce((sum, { selfMs }) => sum + selfMs, 0)
  return {
    frames: [...frames.keys()].map((frame) => texts[frame] ?? ''),
    nodes: pruned,
    restMs: Math.max(0, all - own),
  }
}
