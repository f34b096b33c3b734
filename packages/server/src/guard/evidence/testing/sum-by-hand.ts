// The clustered sums of a metric, counted unit by unit, as the reference for the statements of the evidence.
import type { ClusteredSums, UnitSums } from '@telltale/core/statistics/sums'
import type { Arm, GuardEvent } from '../../../platform/engines/clickhouse/schema/testing/guard-events.ts'

export type Seen = Arm & { event: GuardEvent }

/** From all events under a split with two stages, in order of time. */
export function sumByHand(seen: readonly Seen[]) {
  /** n and y of each unit in each stage and arm, capped at a unit's weight; and n before the cap. */
  function cells(of: (events: GuardEvent[], arm: Seen['arm']) => [n: number, y: number], weight = 50) {
    const grouped = new Map<string, Seen[]>()
    for (const one of seen) {
      const key = `${one.unit}|${one.epoch}|${one.arm}`
      grouped.set(key, [...(grouped.get(key) ?? []), one])
    }
    const all = [...grouped.values()].flatMap((all) => {
      const [{ unit, epoch, arm } = { unit: '', epoch: 0, arm: 'control' as const }] = all
      const [n, y] = of(
        all.map(({ event }) => event),
        arm,
      )
      const counted = Math.min(n, weight)
      return n > 0 ? [{ unit, epoch, arm, n: counted, y: (y * counted) / n, whole: n }] : []
    })
    const whole = all.reduce((sum, cell) => sum + cell.whole, 0)
    const tooLarge = all.filter((cell) => weight > 1 && cell.whole > weight && cell.whole * 100 > whole)
    const isKept = (cell: { unit: string }) => !tooLarge.some(({ unit }) => unit === cell.unit)
    return { all, tooLarge, kept: all.filter(isKept) }
  }

  function sumsByHand(...of: Parameters<typeof cells>): ClusteredSums {
    const { all, tooLarge, kept } = cells(...of)
    const sum = (arm: Seen['arm'], epoch: number): UnitSums => {
      const isHere = (cell: { arm: string; epoch: number }) => cell.arm === arm && cell.epoch === epoch
      const here = kept.filter(isHere)
      const before = all.filter(isHere).map(({ whole }) => whole)
      const total = (value: (cell: { n: number; y: number }) => number) =>
        here.reduce((so, cell) => so + value(cell), 0)
      return {
        units: here.length,
        n: total(({ n }) => n),
        y: total(({ y }) => y),
        nn: total(({ n }) => n * n),
        ny: total(({ n, y }) => n * y),
        yy: total(({ y }) => y * y),
        use: {
          all: before.reduce((so, whole) => so + whole, 0),
          largest: Math.max(0, ...before),
          leftOut: tooLarge.filter(isHere).length,
        },
      }
    }
    const shared = (arm: Seen['arm']) => {
      const pair = { earlier: 0, later: 1, units: 0, nn: 0, ny: 0, yn: 0, yy: 0 }
      for (const first of kept.filter((cell) => cell.arm === arm && cell.epoch === 1)) {
        const second = kept.find((cell) => cell.arm === arm && cell.epoch === 2 && cell.unit === first.unit)
        if (second === undefined) continue
        pair.units += 1
        pair.nn += first.n * second.n
        pair.ny += first.n * second.y
        pair.yn += first.y * second.n
        pair.yy += first.y * second.y
      }
      return [pair]
    }
    return {
      stages: [1, 2].map((epoch) => ({ treatment: sum('treatment', epoch), control: sum('control', epoch) })),
      shared: { treatment: shared('treatment'), control: shared('control') },
    }
  }

  return { cells, sumsByHand }
}
