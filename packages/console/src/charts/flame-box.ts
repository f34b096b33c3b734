/** A box of a flame graph as drawn: its position, label and accessible name. */
export interface DrawnBox {
  readonly id: number
  /** The id of the box above; −1 for the root. */
  readonly parent: number
  readonly depth: number
  readonly x: number
  readonly width: number
  readonly name: string
  /** Beside the name, if it fits: `188 ms`. */
  readonly note?: string | undefined
  /** At the right edge, if it fits: `+31 ms`. */
  readonly end?: string | undefined
  /** A full sentence. */
  readonly label: string
  readonly look: FlameLook
  readonly isFaint?: boolean | undefined
  /** Matches the search, or is selected. */
  readonly isMarked?: boolean | undefined
}

export const flameLooks = {
  app: 'bg-fl-app',
  fw: 'bg-fl-fw',
  '3p': 'bg-fl-3p',
  native: 'bg-fl-native',
  gc: 'bg-fl-gc',
  'less-2': 'bg-diff-less-2',
  'less-1': 'bg-diff-less-1',
  same: 'bg-diff-0',
  'more-1': 'bg-diff-more-1',
  'more-2': 'bg-diff-more-2',
} as const
export type FlameLook = keyof typeof flameLooks

export const flameRow = 21
export const flameBoxHeight = 20
/** Narrower boxes have no room for a letter. */
export const narrowestText = 22
const narrowestNote = 120
const narrowestEnd = 170

export function textsOf({ width, note, end }: DrawnBox): {
  note: string | undefined
  end: string | undefined
} {
  return {
    note: width >= narrowestNote ? note : undefined,
    end: width >= narrowestEnd ? end : undefined,
  }
}

export type FlameStep = 'in' | 'out' | 'left' | 'right' | 'first'

/** Keyboard navigation from a box: to its caller, its first callee and its neighbours of the same depth. */
export function stepFrom(boxes: readonly DrawnBox[], id: number, step: FlameStep): number | undefined {
  const from = boxes.find((box) => box.id === id)
  if (from === undefined || step === 'first') return boxes[0]?.id
  if (step === 'out') return boxes.find((box) => box.id === from.parent)?.id
  if (step === 'in') return leftmost(boxes.filter(({ parent }) => parent === id))?.id
  const beside = boxes.filter(
    ({ depth, x }) => depth === from.depth && (step === 'right' ? x > from.x : x < from.x),
  )
  return (step === 'right' ? leftmost(beside) : leftmost(beside, -1))?.id
}

function leftmost(boxes: readonly DrawnBox[], direction: 1 | -1 = 1): DrawnBox | undefined {
  let found: DrawnBox | undefined
  for (const box of boxes) if (found === undefined || (box.x - found.x) * direction < 0) found = box
  return found
}
