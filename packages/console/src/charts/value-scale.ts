/** A value axis: its range and its labels. */
export interface ValueScale {
  readonly low: number
  readonly high: number
  /** Ascending. */
  readonly ticks: readonly number[]
}

type Values = readonly (number | null)[]

const marginShare = 0.15
const ticksAtLeast = 2

/** For counts, rates and bars: from zero, with two or three round values. */
export function scaleFromZero(values: Values): ValueScale {
  const top = Math.max(0, ...known(values)) || 1
  const step = roundStep(top / 2)
  const high = Math.max(top * 1.08, step)
  return { low: 0, high, ticks: ticksBetween(0, high, step) }
}

/**
 * For the line of a vital, whose axis may be cut: around its values, with the nearest threshold and at least
 * one round value beside it.
 */
export function scaleAround(values: Values, boundaries: readonly number[] = []): ValueScale {
  const found = known(values)
  const [first] = boundaries
  if (found.length === 0) return scaleFromZero(first === undefined ? [] : [first])
  const lowest = Math.min(...found)
  const highest = Math.max(...found)
  const near = boundaries.filter((boundary) => boundary >= lowest * 0.6 && boundary <= highest * 1.5)
  const bottom = Math.min(lowest, ...near)
  const top = Math.max(highest, ...near)
  const margin = (top - bottom || top || 1) * marginShare
  const low = Math.max(0, bottom - 2 * margin)
  const high = top + margin
  const [ticks = near] = [2, 4, 8]
    .map((parts) => {
      const round = ticksBetween(low, high, roundStep((high - low) / parts))
      // A round value too close to a threshold would overlap its label.
      const apart = round.filter((tick) => near.every((one) => Math.abs(tick - one) > (high - low) / 6))
      return [...near, ...apart].sort((a, b) => a - b)
    })
    .filter(({ length }) => length >= ticksAtLeast)
  return { low, high, ticks }
}

export function yOf({ low, high }: ValueScale, value: number, height: number): number {
  return height - ((value - low) / (high - low || 1)) * height
}

function known(values: Values): number[] {
  return values.filter((value) => value !== null)
}

function ticksBetween(low: number, high: number, step: number): number[] {
  const ticks: number[] = []
  for (let count = Math.ceil(low / step - 1e-9); count * step <= high; count += 1) {
    ticks.push(Number((count * step).toPrecision(12)))
  }
  return ticks
}

/** The next value of 1, 2, 5, 10, … that is not less. */
function roundStep(rough: number): number {
  const size = 10 ** Math.floor(Math.log10(rough))
  const times = [1, 2, 5, 10].find((one) => one * size >= rough * 0.999) ?? 10
  return times * size
}
