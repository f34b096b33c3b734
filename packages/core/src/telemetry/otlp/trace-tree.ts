// The tree of a trace from spans in any order: parents may be missing, come later, or name each other in a circle. Every
// span is in it once.

export interface TreeSpan {
  spanId: string
  parentId: string
  service: string
  /** Milliseconds since the trace began. */
  at: number
  duration: number
}

export interface TreeRow<Span extends TreeSpan> {
  span: Span
  depth: number
  /** How many spans are below it. */
  below: number
  /** Its duration without the time in which its children ran. */
  self: number
  /** The parent is not among the spans of the trace, or would be one of its own descendants. */
  isOrphan: boolean
}

/** Rows from top to bottom: each span before its children, children by their beginning. */
export function buildTraceTree<Span extends TreeSpan>(spans: readonly Span[]): TreeRow<Span>[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const children = new Map<string, Span[]>()
  const tops: Span[] = []
  for (const span of spans) {
    if (span.parentId === '' || span.parentId === span.spanId || !byId.has(span.parentId)) tops.push(span)
    else {
      const known = children.get(span.parentId)
      if (known === undefined) children.set(span.parentId, [span])
      else known.push(span)
    }
  }
  for (const each of children.values()) each.sort(byBeginning)
  const rows: TreeRow<Span>[] = []
  const placed = new Set<string>()
  for (const top of [...tops].sort(byBeginning)) place(top, { rows, placed, children })
  // What is left is in circles, or below one: the earliest span of each begins it.
  for (const span of [...spans].sort(byBeginning)) {
    if (!placed.has(span.spanId)) place(span, { rows, placed, children })
  }
  return rows
}

interface Placing<Span extends TreeSpan> {
  rows: TreeRow<Span>[]
  placed: Set<string>
  children: ReadonlyMap<string, readonly Span[]>
}

/** Without recursion: a trace may be as deep as it has spans. */
function place<Span extends TreeSpan>(top: Span, { rows, placed, children }: Placing<Span>): void {
  const open: { row: TreeRow<Span>; index: number }[] = []
  const waiting: { span: Span; depth: number }[] = [{ span: top, depth: 0 }]
  const close = (depth: number) => {
    for (let last = open.at(-1); last !== undefined && last.row.depth >= depth; last = open.at(-1)) {
      last.row.below = rows.length - last.index - 1
      open.pop()
    }
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { span, depth } = next
    if (placed.has(span.spanId)) continue
    placed.add(span.spanId)
    close(depth)
    const own = children.get(span.spanId) ?? []
    const isOrphan = depth === 0 && span.parentId !== ''
    const row = { span, depth, below: 0, self: selfTime(span, own), isOrphan }
    open.push({ row, index: rows.length })
    rows.push(row)
    for (const child of own.toReversed()) waiting.push({ span: child, depth: depth + 1 })
  }
  close(0)
}

const byBeginning = (one: TreeSpan, other: TreeSpan) =>
  one.at - other.at || other.duration - one.duration || (one.spanId < other.spanId ? -1 : 1)

/** Children may run beside each other, and longer than their parent. */
function selfTime({ at, duration }: TreeSpan, children: readonly TreeSpan[]): number {
  const end = at + duration
  let covered = 0
  let until = at
  for (const child of children) {
    const begin = Math.max(until, child.at)
    const finish = Math.min(end, child.at + child.duration)
    if (finish > begin) {
      covered += finish - begin
      until = finish
    }
  }
  return Math.max(0, duration - covered)
}

export interface ServiceShare {
  service: string
  spans: number
  /** Milliseconds in its own spans, without their children. */
  self: number
  /** Of the self time of all services. */
  share: number
}

/** The service with the most time first. */
export function sharesOf<Span extends TreeSpan>(rows: readonly TreeRow<Span>[]): ServiceShare[] {
  const sums = new Map<string, { spans: number; self: number }>()
  let all = 0
  for (const { span, self } of rows) {
    const sum = sums.get(span.service) ?? { spans: 0, self: 0 }
    sums.set(span.service, { spans: sum.spans + 1, self: sum.self + self })
    all += self
  }
  return [...sums]
    .map(([service, sum]) => ({ service, ...sum, share: all === 0 ? 0 : sum.self / all }))
    .sort((one, other) => other.self - one.self || (one.service < other.service ? -1 : 1))
}
