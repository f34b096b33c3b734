/** The span that a chart shows, cut into steps; and where an instant lies in it. */
export interface TimeFrame {
  readonly from: number
  readonly to: number
  /** Where each step begins, rising. The first may have begun before the span, the last may end after it. */
  readonly times: readonly number[]
  /** Pixels. */
  readonly width: number
}

export function xOf({ from, to, width }: TimeFrame, at: number): number {
  return to > from ? ((at - from) / (to - from)) * width : 0
}

/** What of a step is inside the span. */
export function stepBounds({ from, to, times }: TimeFrame, index: number): { from: number; to: number } {
  return {
    from: Math.max(times[index] ?? from, from),
    to: Math.min(times[index + 1] ?? to, to),
  }
}

export function middleOf(frame: TimeFrame, index: number): number {
  const step = stepBounds(frame, index)
  return xOf(frame, (step.from + step.to) / 2)
}

/** The step under a pixel; the nearest one outside of the span. */
export function stepAt(frame: TimeFrame, x: number): number {
  const at = frame.from + (frame.width > 0 ? x / frame.width : 0) * (frame.to - frame.from)
  let low = 0
  let high = frame.times.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((frame.times[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return Math.max(low, 0)
}
