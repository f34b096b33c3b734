import { noSums, type StageSums, type UnitSums } from '@telltale/core/statistics/sums'
import type { SideRow } from './difference-queries.ts'

/** Derives one side's sums of an epoch from the sums of everything in it. */
export type Reading = (all: UnitSums, at: Pick<SideRow, 'epoch' | 'of'>) => UnitSums

/** One stage for each epoch. */
export function stagesOf(sides: readonly SideRow[], read: Reading): StageSums[] {
  const sumsOf = (epoch: number, side: number): UnitSums => {
    const all = sides.find((row) => row.epoch === epoch && row.of === side)
    if (all === undefined) return noSums
    const { units, n, nn, y, yy, ny } = all
    return read({ units: Number(units), n, nn, y, yy, ny }, all)
  }
  const epochs = [...new Set(sides.map(({ epoch }) => epoch))]
  return epochs.map((epoch) => ({ control: sumsOf(epoch, 0), treatment: sumsOf(epoch, 1) }))
}
