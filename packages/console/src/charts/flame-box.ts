/** A box of a flame graph as it is drawn: where it stands, what is written in it, and what is read aloud. */
export interface DrawnBox {
  readonly id: number
  /** The id of the box above; −1: none. */
  readonly parent: number
  readonly depth: number
  readonly x: number
  readonly width: number
  readonly name: string
  /** Beside the name, where there is room: `188 ms`. */
  readonly note?: string | undefined
  /** At the right edge, where there is room: `+31 ms`. */
  readonly end?: string | undefined
  /** A whole sentence. */
  readonly label: string
  readonly look: FlameLook
  readonly isFaint?: boolean | undefined
  /** It is what is looked for, or what is looked at. */
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
/** Narrower ones have no room for a letter. */
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

/** Where a key goes from a box: to its caller, to what it called first, to its neighbours of the same depth. */
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
