// Limits the recorder's share of the main thread. Over budget it writes the part of the page that changes most less
// often, then drops detail of the pointer and of scrolling, then stops; each step is noted in the replay. Past overruns
// expire, so that a page that is busy occasionally is recorded to the end.

import { sinceBegin } from '../browser/time.ts'
import { parentOf, typeOf } from './natives.ts'

export interface BudgetOptions {
  /** Undefined: the whole page. `share`: of the time, between 0 and 1. */
  limit(target: Element | undefined, share: number): void
  thin(share: number): void
  stop(share: number): void
}

export interface Budget {
  /** Counts its time; what runs within it counts once. The page's own code must not run in it. */
  measure(run: () => void): void
  /** A change of this node was seen. */
  changed(target: Node): void
  /** A full snapshot is being written, whose interval depends on what it costs, or it was written. */
  pause(isWritten: boolean): void
  /** All that was measured, milliseconds. */
  total(): number
  stop(): void
}

const windowLength = 10_000
/** For a full snapshot of a huge page on a slow device, milliseconds: it is written while the page is idle. */
const longestSnapshot = 60_000
const share = 0.02
/** Longer in one frame, and the user notices. */
const longFrame = 50
const longFramesAtMost = 2
/** Work that follows this soon is in the same frame, milliseconds. */
const sameFrame = 4
/** After this many windows within budget, one overrun is forgiven. */
const forgiven = 12
/** Of all changes: then it is that part of the page alone. */
const mostly = 0.5

export function createBudget({ limit, thin, stop }: BudgetOptions): Budget {
  let spent = 0
  let total = 0
  let inFrame = 0
  let endedAt = 0
  let longFrames = 0
  let level = 0
  let good = 0
  let depth = 0
  let pausedUntil = sinceBegin() + windowLength
  let counts = new Map<Element, number>()

  const exceed = () => {
    const used = spent / windowLength
    good = longFrames = 0
    level++
    if (level === 1) limit(findNoisiest(counts), used)
    else if (level === 2) thin(used)
    else stop(used)
  }
  const look = () => {
    if (spent > windowLength * share) exceed()
    else if (++good % forgiven === 0 && level > 0) level--
    spent = 0
    counts = new Map()
  }
  const spend = (beganAt: number) => {
    const now = sinceBegin()
    const isSameFrame = beganAt - endedAt < sameFrame
    const wasLong = isSameFrame && inFrame > longFrame
    inFrame = (isSameFrame ? inFrame : 0) + now - beganAt
    endedAt = now
    total += now - beganAt
    if (now < pausedUntil) return
    spent += now - beganAt
    if (inFrame <= longFrame || wasLong) return
    longFrames++
    if (longFrames >= longFramesAtMost) exceed()
  }
  const timer = setInterval(look, windowLength)
  return {
    measure(run) {
      const beganAt = sinceBegin()
      depth++
      try {
        run()
      } finally {
        if (--depth === 0) spend(beganAt)
      }
    },
    changed(target) {
      const element = target.nodeType === 1 ? (target as Element) : target.parentElement
      if (element) counts.set(element, (counts.get(element) ?? 0) + 1)
    },
    pause(isWritten) {
      pausedUntil = sinceBegin() + (isWritten ? windowLength : longestSnapshot)
    },
    total: () => total,
    stop: () => clearInterval(timer),
  }
}

/** The smallest part of the page in which most of the changes happened, unless that is most of the page. */
function findNoisiest(counts: ReadonlyMap<Element, number>): Element | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const within = new Map<Element, number>()
  for (const [element, count] of counts) {
    let at: Node | null = element
    for (; at && typeOf(at) === 1 && at !== document.body; at = parentOf(at))
      within.set(at as Element, (within.get(at as Element) ?? 0) + count)
  }
  let best: Element | undefined
  for (const [element, count] of within) {
    const isEnough = count >= total * mostly && element !== document.documentElement
    if (isEnough && (!best || best.contains(element))) best = element
  }
  const sizeOf = (part: ParentNode) => part.querySelectorAll('*').length
  return best && sizeOf(best) <= sizeOf(document) / 2 ? best : undefined
}
