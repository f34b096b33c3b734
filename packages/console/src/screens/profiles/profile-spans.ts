// Converts the samples of one profile to a timeline: a function lasts as long as consecutive samples have it at
// the same position.

import type { Profile, ProfiledFrame } from '../../api/profiles.ts'
import type { DrawnBox } from '../../charts/flame-box.ts'
import type { CallNode } from './call-tree.ts'

export interface Span {
  readonly frame: ProfiledFrame
  /** The index of the calling span; −1 for none. */
  readonly parent: number
  readonly depth: number
  /** Milliseconds since the profile started. */
  readonly from: number
  to: number
}

type Sampled = Pick<Profile, 'frames' | 'stacks' | 'samples'>

/** Bounds the depth of malformed stacks with cycles. */
const deepest = 500
/** The precision of clocks. */
const sameMoment = 0.5

/** In order of start, callers before callees. */
export function spansOf({ frames, stacks, samples }: Sampled): Span[] {
  const spans: Span[] = []
  /** The open spans by index, outermost first. */
  let open: number[] = []
  let end = 0
  for (const { at, duration, stack } of samples) {
    const path = pathOf(stacks, stack)
    const isGap = at - end > sameMoment
    let shared = 0
    while (
      !isGap &&
      shared < Math.min(open.length, path.length) &&
      spans[open[shared] ?? -1]?.frame === frames[path[shared] ?? -1]
    ) {
      shared += 1
    }
    open = open.slice(0, shared)
    end = at + duration
    for (const place of open) {
      const span = spans[place]
      if (span) span.to = end
    }
    for (const index of path.slice(shared)) {
      const frame = frames[index]
      if (frame === undefined) break
      spans.push({ frame, parent: open.at(-1) ?? -1, depth: open.length, from: at, to: end })
      open.push(spans.length - 1)
    }
  }
  return spans
}

function pathOf(stacks: Sampled['stacks'], stack: number): number[] {
  const path: number[] = []
  for (let at = stacks[stack]; at !== undefined && path.length < deepest; at = stacks[at.parent]) {
    path.push(at.frame)
  }
  return path.reverse()
}

/** The same time, summed by call path. */
export function nodesOf({ frames, stacks, samples }: Sampled): CallNode[] {
  const nodes: { frame: ProfiledFrame | undefined; parent: number; value: number; self: number }[] = [
    { frame: undefined, parent: -1, value: 0, self: 0 },
    ...stacks.map(({ frame, parent }) => ({ frame: frames[frame], parent: parent + 1, value: 0, self: 0 })),
  ]
  for (const { stack, duration } of samples) {
    if (stack < 0) continue
    const leaf = nodes[stack + 1]
    if (leaf) leaf.self += duration
    let deep = 0
    for (let at = leaf; at !== undefined && deep < deepest; at = nodes[at.parent]) {
      at.value += duration
      deep += 1
    }
  }
  return nodes
}

interface SpanWindow {
  from: number
  to: number
  width: number
}

/**
 * The visible part of the spans. Spans narrower than a pixel are merged with their neighbours into one box with
 * a count.
 */
export function layoutSpans(
  spans: readonly Span[],
  { from, to, width }: SpanWindow,
): (Pick<DrawnBox, 'id' | 'parent' | 'depth' | 'x' | 'width'> & { more: number })[] {
  const scale = width / Math.max(1e-6, to - from)
  const boxes: { id: number; parent: number; depth: number; x: number; width: number; more: number }[] = []
  /** By depth, the last merged box. */
  const small = new Map<number, (typeof boxes)[number]>()
  for (const [id, span] of spans.entries()) {
    if (span.to <= from || span.from >= to) continue
    const x = Math.max(0, (span.from - from) * scale)
    const wide = Math.min(width, (span.to - from) * scale) - x
    const box = { id, parent: span.parent, depth: span.depth, x, width: wide, more: 0 }
    if (wide >= 1) {
      boxes.push(box)
      continue
    }
    const before = small.get(span.depth)
    if (before !== undefined && x - (before.x + before.width) < 1) {
      before.width = Math.max(1, x + wide - before.x)
      before.more += 1
    } else {
      const first = { ...box, width: 1, more: 1 }
      boxes.push(first)
      small.set(span.depth, first)
    }
  }
  return boxes
}
