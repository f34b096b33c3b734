// Merges stacks with self time into one tree: every function below its caller, with self time and total time. The
// smallest nodes are left out, and their time is reported as the rest.

interface TimedStack {
  /** Outermost first. */
  frames: readonly string[]
  selfMs: number
  samples: number
}

export interface FlameNode {
  /** Index into `frames`. */
  frame: number
  /** Index of the calling node; -1 for a root. */
  parent: number
  selfMs: number
  totalMs: number
  samples: number
}

export interface FlameGraph {
  frames: string[]
  /** Callers precede their callees. */
  nodes: FlameNode[]
  /** Self time of the omitted nodes. */
  restMs: number
}

/** A smaller share of the total time is invisible in a flame graph. */
const smallestShare = 0.0002
/** More frames than a profile has: node and frame are combined into one number. */
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

/** A caller's total time is at least that of its callees, so the largest nodes still form a tree. */
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
  const indexByPlace = new Map(kept.map(({ place }, index) => [place, index]))
  const frames = new Map<number, number>()
  const pruned = kept.map(({ node }) => {
    const frame = frames.get(node.frame) ?? frames.size
    frames.set(node.frame, frame)
    return { ...node, frame, parent: indexByPlace.get(node.parent) ?? -1 }
  })
  const own = pruned.reduce((sum, { selfMs }) => sum + selfMs, 0)
  return {
    frames: [...frames.keys()].map((frame) => texts[frame] ?? ''),
    nodes: pruned,
    restMs: Math.max(0, all - own),
  }
}
