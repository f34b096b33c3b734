// A ratio in words, for one suspect in a list and for all of them on a page.

export interface Times {
  ratio: number
  lower: number
  /** Null without an upper bound. */
  upper: number | null
}

/** Above this, only the lower bound is shown: almost no other users are affected. */
const mostNamed = 50

const isOpen = ({ upper }: Times) => upper === null || upper > mostNamed

/** `5.2`; large values are rounded, and values above 1 stay above 1. */
function timesText(ratio: number): string {
  if (ratio >= 9.95) return ratio.toFixed(0)
  return ratio > 1 && ratio < 1.05 ? ratio.toFixed(2) : ratio.toFixed(1)
}

/** `4.2 times as often`, or `at least 4.0 times` without an estimate: for small spaces. */
export function shortOften(times: Times): string {
  return isOpen(times)
    ? `at least ${timesText(times.lower)} times`
    : `${timesText(times.ratio)} times as often`
}

/** `4.2 times as often`, `at least 4.0 times as often` */
export function oftenText(times: Times): string {
  return isOpen(times) ? `${shortOften(times)} as often` : shortOften(times)
}

/** `2.1 to 8.0 times`; undefined without an upper bound. */
export function betweenText(times: Times): string | undefined {
  return isOpen(times) || times.upper === null
    ? undefined
    : `${timesText(times.lower)} to ${timesText(times.upper)} times`
}

/** Common scale of several intervals, with a maximum width. */
export function scaleOf(all: readonly Times[]): { from: number; to: number } {
  const widest = Math.max(2, ...all.map(({ upper }) => upper ?? mostNamed))
  return { from: 0.5, to: Math.min(mostNamed, widest) }
}
