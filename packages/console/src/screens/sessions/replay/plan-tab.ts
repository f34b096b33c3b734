import type { ReplaySegment, ReplayTab } from '../../../api/replays.ts'
import type { ReplayGap, Span } from './player.ts'

export interface PlannedSegment extends Span {
  readonly index: number
  /** A picture can start with it. */
  readonly full: boolean
  readonly bytes: number
  readonly assets: readonly string[]
}

/** Consecutive segments, from one that can start a picture. Without gaps in between. */
export interface Stretch extends Span {
  readonly segments: readonly PlannedSegment[]
}

export interface TabPlan extends Span {
  readonly id: string
  readonly stretches: readonly Stretch[]
  readonly gaps: readonly ReplayGap[]
}

/** The playable parts of a tab. A broken segment is a gap like a missing one. */
export function planTab(tab: ReplayTab, broken: ReadonlySet<number> = new Set()): TabPlan {
  const gaps: ReplayGap[] = []
  const stretches: Stretch[] = []
  let open: PlannedSegment[] | undefined
  let expected = 0
  let reached: number | undefined
  const close = (to: number) => {
    const [first] = open ?? []
    if (open !== undefined && first !== undefined) stretches.push({ from: first.from, to, segments: open })
    open = undefined
  }
  const addGap = ({ from, to }: Span, why: ReplayGap['why'], missing = 0) => {
    const last = gaps.at(-1)
    if (last?.why === why && why !== 'missing') gaps[gaps.length - 1] = { ...last, to: Math.max(last.to, to) }
    else gaps.push({ tab: tab.id, from, to, why, missing })
  }
  for (const segment of tab.segments.map(toPlanned)) {
    const missing = segment.index - expected
    if (missing > 0) {
      const from = Math.min(reached ?? segment.from, segment.from)
      close(from)
      addGap({ from, to: segment.from }, 'missing', missing)
    }
    if (broken.has(segment.index)) {
      close(segment.from)
      addGap(segment, 'broken')
    } else if (open !== undefined) open.push(segment)
    else if (segment.full) open = [segment]
    else addGap(segment, 'no-beginning')
    expected = segment.index + 1
    reached = Math.max(reached ?? segment.to, segment.to)
  }
  const to = Date.parse(tab.endedAt)
  close(to)
  return { id: tab.id, from: Date.parse(tab.startedAt), to, stretches, gaps }
}

function toPlanned({ index, startedAt, endedAt, full, bytes, assets }: ReplaySegment): PlannedSegment {
  return { index, full, bytes, assets, from: Date.parse(startedAt), to: Date.parse(endedAt) }
}

/** The part of a tab at a moment; undefined in a gap, and before the tab started. */
export function stretchAt({ stretches }: TabPlan, at: number): Stretch | undefined {
  return stretches.findLast(({ from, to }) => from <= at && at <= to)
}

export function gapAt({ gaps }: TabPlan, at: number): ReplayGap | undefined {
  return gaps.find(({ from, to }) => from <= at && at < to)
}

/** Where to start the picture of a moment: the last full snapshot before it. */
export function beginningFor({ segments }: Stretch, at: number): number {
  return Math.max(
    0,
    segments.findLastIndex(({ full, from }) => full && from <= at),
  )
}

/**
 * How far the picture is known when this many segments of a stretch are loaded: until the next one, nothing
 * changes.
 */
export function knownUntil({ segments, to }: Stretch, read: number): number {
  if (read === 0) return Number.NEGATIVE_INFINITY
  return segments[read]?.from ?? to
}
