import { groupMarkers, type MarkerGroup } from './group-markers.ts'

interface Change {
  readonly at: number
  readonly isRollback?: boolean
}

export interface Pennant<Of extends Change> extends Omit<MarkerGroup, 'members'> {
  /** Position of the label; its line stays at `x`. */
  readonly left: number
  /** Space to its right until the next one. */
  readonly room: number
  readonly changes: readonly Of[]
}

const pennantWidth = 24
const groupWidth = 72

/** One pennant per change or group of changes. Overlapping pennants are placed side by side. */
export function placePennants<Of extends Change>(
  changes: readonly Of[],
  { width, xOf }: { width: number; xOf: (at: number) => number },
): Pennant<Of>[] {
  const placed = changes
    .map((change, index) => ({
      change,
      number: index + 1,
      x: xOf(change.at),
      isRollback: change.isRollback === true,
    }))
    .filter(({ x }) => x >= 0 && x <= width)
  const groups = groupMarkers(placed, groupWidth)
  const widthOf = (index: number) => ((groups[index]?.members.length ?? 0) > 1 ? groupWidth : pennantWidth)

  const lefts: number[] = []
  for (const [index, { x }] of groups.entries()) {
    const before = lefts[index - 1]
    lefts.push(before === undefined ? x : Math.max(x, before + widthOf(index - 1)))
  }
  // The last ones may overhang the end by the width of an axis label at most.
  for (let index = lefts.length - 1; index >= 0; index -= 1) {
    const end = lefts[index + 1] ?? width + pennantWidth
    lefts[index] = Math.min(lefts[index] ?? 0, end - widthOf(index))
  }
  return groups.map(({ members, x, text, isRollback }, index) => {
    const left = lefts[index] ?? x
    return {
      x,
      text,
      isRollback,
      left,
      room: (lefts[index + 1] ?? width) - left - widthOf(index),
      changes: members.map(({ change }) => change),
    }
  })
}
