/** The period of a chart, divided into steps, and the position of an instant in it. */
export interface TimeFrame {
  readonly from: number
  readonly to: number
  /** Start of each step, ascending. The first may start before the period, the last may end after it. */
  readonly times: readonly number[]
  /** Pixels. */
  readonly width: number
}

export function xOf({ from, to, width }: TimeFrame, at: number): number {
  return to > from ? ((at - from) / (to - from)) * width : 0
}

/** The part of a step inside the period. */
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

/** The step under a pixel; outside the period, the nearest one. */
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
