import { middleOf, stepBounds, type TimeFrame, xOf } from './time-frame.ts'
import { type ValueScale, yOf } from './value-scale.ts'

type Values = readonly (number | null)[]

interface Drawing {
  frame: TimeFrame
  scale: ValueScale
  height: number
  values: Values
}

export interface DrawnPaths {
  /** Complete steps. */
  readonly whole: string
  /** To and from incomplete steps: drawn at half strength. */
  readonly partial: string
}

/** A line through the middle of its steps. Missing values are gaps; a single value between gaps is a dot. */
export function linePaths(drawing: Drawing, isPartial: (index: number) => boolean): DrawnPaths {
  const { frame, scale, height, values } = drawing
  const paths = { whole: '', partial: '' }
  const place = (index: number, value: number) =>
    `${middleOf(frame, index).toFixed(1)} ${yOf(scale, value, height).toFixed(1)}`

  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const kind = isPartial(index) ? 'partial' : 'whole'
    const before = index > 0 ? (values[index - 1] ?? null) : null
    const after = values[index + 1] ?? null
    if (before !== null) {
      const into = kind === 'partial' || isPartial(index - 1) ? 'partial' : 'whole'
      paths[into] += `M${place(index - 1, before)}L${place(index, value)}`
    } else if (after === null) {
      paths[kind] += `M${place(index, value)}h.01`
    }
  }
  return { whole: joined(paths.whole), partial: joined(paths.partial) }
}

/** `M1 1L2 2M2 2L3 3` as one stroke, with joins instead of caps. */
function joined(path: string): string {
  return path.replace(/L([\d. -]+)M\1(?=L)/g, 'L$1')
}

const gapShare = 0.18

/** A bar per step, as wide as the part of the step inside the period. */
export function barPaths(drawing: Drawing, isPartial: (index: number) => boolean): DrawnPaths {
  const { frame, scale, height, values } = drawing
  const paths = { whole: '', partial: '' }
  for (const [index, value] of values.entries()) {
    if (value === null || value <= 0) continue
    const bounds = stepBounds(frame, index)
    const left = xOf(frame, bounds.from)
    const width = xOf(frame, bounds.to) - left
    const gap = Math.min(width * gapShare, 2)
    const top = Math.min(yOf(scale, value, height), height - 1)
    paths[isPartial(index) ? 'partial' : 'whole'] +=
      `M${(left + gap / 2).toFixed(1)} ${height}V${top.toFixed(1)}h${Math.max(width - gap, 0.5).toFixed(1)}V${height}Z`
  }
  return paths
}
