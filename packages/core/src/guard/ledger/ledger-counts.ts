// What the ledger of harm counts: users of one month by the arms they had. A user has at most one cell per split: the
// one of the epoch with the fewest users in the control that they visited. Buckets are nested, so a user who got the
// control there got it in every other epoch as well, and the designed share of that epoch is their probability of ever
// having had the variation.

export const harmKinds = ['any', 'error', 'failed-request', 'blank-view', 'server-error'] as const
export type HarmKind = (typeof harmKinds)[number]

/** A split with its comparable epochs: the control and another variation have a weight. */
export interface LedgerSplit {
  split: string
  flag: string
  /** The attribute that it buckets on. */
  by: string
  control: string
  /** The control's weight decreases: later epochs decide. */
  epochs: readonly LedgerEpoch[]
}

export interface LedgerEpoch {
  epoch: number
  arms: readonly { variation: string; weight: number }[]
}

/** An epoch and an arm of a split, as one number. */
export type Cell = number

/** Users of pairs of cells, each pair once; a cell with itself: all its users. */
export interface CellPair {
  one: Cell
  other: Cell
  users: number
}

/** Users of a cell who were affected in a compared epoch of `split`, given by its index. */
export interface CellHits {
  split: number
  kind: HarmKind
  cell: Cell
  users: number
}

export interface LedgerCounts {
  pairs: readonly CellPair[]
  hits: readonly CellHits[]
}

const perSplit = 65_536
const perEpoch = 256
/** More epochs or arms of a split are not counted. */
export const placesPerSplit = perEpoch - 1

interface CellPlace {
  /** Indexes: of the split, of its epoch, and of the arm in that epoch's list with the control first. */
  split: number
  epoch: number
  arm: number
}

export const cellOf = ({ split, epoch, arm }: CellPlace): Cell => split * perSplit + epoch * perEpoch + arm

export const placeOf = (cell: Cell): CellPlace => ({
  split: Math.floor(cell / perSplit),
  epoch: Math.floor((cell % perSplit) / perEpoch),
  arm: cell % perEpoch,
})

/** Users of a split who lost the variation although the control shrank: buckets were not nested. */
export const movedCell = (split: number): Cell =>
  cellOf({ split, epoch: placesPerSplit, arm: placesPerSplit })

/** The arms of a split in the order of cells: the control first. */
export function variationsOf({ control, epochs }: LedgerSplit): string[] {
  const all = epochs.flatMap(({ arms }) =>
    arms.filter(({ weight }) => weight > 0).map(({ variation }) => variation),
  )
  return [control, ...[...new Set(all)].filter((variation) => variation !== control).toSorted()]
}

export const weightIn = ({ arms }: LedgerEpoch, variation: string) =>
  arms.find((arm) => arm.variation === variation)?.weight ?? 0

/** Epochs in which the control can be compared with another variation, with the deciding ones last. */
export function comparableEpochs(epochs: readonly LedgerEpoch[], control: string): LedgerEpoch[] {
  return epochs
    .filter((epoch) => {
      const own = weightIn(epoch, control)
      return own > 0 && epoch.arms.some(({ variation, weight }) => variation !== control && weight > 0)
    })
    .toSorted((one, other) => weightIn(other, control) - weightIn(one, control) || one.epoch - other.epoch)
    .slice(-placesPerSplit)
}
