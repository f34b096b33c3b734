// The counts of the server as lines over time.

import type { Evaluations } from '../../../api/flags.ts'

export const stepLengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
export type Step = keyof typeof stepLengths

/** The finest step that is visible and retained: minutes for two days, hours for five weeks. */
export function stepFor(from: number, to: number, now: number): Step {
  const span = to - from
  const age = now - from
  if (span <= 6 * stepLengths.hour && age <= 2 * stepLengths.day) return 'minute'
  if (span <= 10 * stepLengths.day && age <= 35 * stepLengths.day) return 'hour'
  return 'day'
}

export interface Line {
  /** Null: no variation could be served, and the application used its default. */
  readonly variation: string | null
  readonly total: number
  readonly values: readonly number[]
}

/** One line per variation, in the order of the flag; steps without an evaluation are zero. */
export function linesOf(
  { from, to, step, series }: Evaluations,
  variations: readonly { key: string }[],
): { times: number[]; lines: Line[] } {
  const length = stepLengths[step]
  const start = Date.parse(from)
  const count = Math.max(1, Math.ceil((Date.parse(to) - start) / length))
  const times = Array.from({ length: count }, (_, index) => start + index * length)

  const lines = new Map<string | null, { total: number; values: number[] }>()
  for (const { variation, total, points } of series) {
    const line = lines.get(variation) ?? { total: 0, values: times.map(() => 0) }
    line.total += total
    for (const { at, count: counted } of points) {
      const index = Math.floor((Date.parse(at) - start) / length)
      const before = line.values[index]
      if (before !== undefined) line.values[index] = before + counted
    }
    lines.set(variation, line)
  }
  const order = (variation: string | null) => {
    const found = variations.findIndex(({ key }) => key === variation)
    return found < 0 ? variations.length + (variation === null ? 1 : 0) : found
  }
  return {
    times,
    lines: [...lines]
      .map(([variation, line]) => ({ variation, ...line }))
      .toSorted((a, b) => order(a.variation) - order(b.variation)),
  }
}
