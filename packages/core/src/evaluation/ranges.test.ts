import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { outside, sizeOf, toSet, within } from './positions.ts'
import { type ArmDraft, type AssignedArm, assignRanges } from './ranges.ts'

const total = limits.weightTotal

const weigh = (weights: Record<string, number>): ArmDraft[] =>
  Object.entries(weights).map(([variation, weight]) => ({ variation, weight }))

function assignAll(history: Record<string, number>[]): Record<string, [number, number][]> {
  let arms: AssignedArm[] | undefined
  for (const weights of history) arms = assignRanges(arms, weigh(weights))
  return Object.fromEntries((arms ?? []).map(({ variation, ranges }) => [variation, ranges]))
}

describe('by example', () => {
  test('a first split assigns ranges in the order of its variations', () => {
    expect(assignAll([{ a: 20_000, b: 30_000, c: 50_000 }])).toEqual({
      a: [[0, 20_000]],
      b: [[20_000, 50_000]],
      c: [[50_000, 100_000]],
    })
  })

  test('growing variations take from the end of shrinking ones', () => {
    expect(
      assignAll([
        { a: 20_000, b: 30_000, c: 50_000 },
        { a: 30_000, b: 25_000, c: 45_000 },
      ]),
    ).toEqual({
      a: [
        [0, 20_000],
        [45_000, 50_000],
        [95_000, 100_000],
      ],
      b: [[20_000, 45_000]],
      c: [[50_000, 95_000]],
    })
  })

  test('a staged rollout that is stopped and restarted reaches the same users in the same order', () => {
    const stages = [1_000, 5_000, 25_000, 50_000, 100_000]
    const first = stages.map((_, index) => assignAll(rollout([0, ...stages.slice(0, index + 1)])))
    const again = stages.map((_, index) =>
      assignAll(rollout([0, ...stages, 0, ...stages.slice(0, index + 1)])),
    )

    expect(again).toEqual(first)
    expect(first[2]).toEqual({ off: [[0, 75_000]], on: [[75_000, 100_000]] })
  })

  test('going back a stage releases the latest users', () => {
    expect(assignAll(rollout([0, 5_000, 25_000, 5_000]))).toEqual(assignAll(rollout([0, 5_000])))
    expect(assignAll(rollout([0, 25_000, 100_000, 25_000]))).toEqual(assignAll(rollout([0, 25_000])))
  })

  test('a returning variation reclaims its users, although others had gained more since', () => {
    const before = { a: 20_000, b: 40_000, c: 40_000 }
    const stopped = { a: 0, b: 60_000, c: 40_000 }
    const moved = { a: 0, b: 80_000, c: 20_000 }
    const again = assignAll([before, stopped, moved, { a: 20_000, b: 60_000, c: 20_000 }])
    expect(again.a).toEqual(assignAll([before]).a)
  })

  test('a variation that leaves the split releases its positions to the others', () => {
    expect(assignAll([{ a: 50_000, b: 50_000 }, { b: 100_000 }])).toEqual({ b: [[0, total]] })
  })

  test('ranges that do not cover everything are reassigned', () => {
    const broken = [{ variation: 'a', ranges: [[0, 10] satisfies [number, number]] }]
    expect(assignRanges(broken, weigh({ a: total }))).toEqual(assignRanges(undefined, weigh({ a: total })))
  })

  test('a split with too many fragments is reassigned', () => {
    const pieces = Array.from({ length: total / 50 }, (_, index): [number, number] => [
      index * 50,
      index * 50 + 50,
    ])
    const cut = [
      { variation: 'a', ranges: pieces.filter((_, index) => index % 2 === 0) },
      { variation: 'b', ranges: pieces.filter((_, index) => index % 2 === 1) },
    ]
    expect(assignRanges(cut, weigh({ a: 60_000, b: 40_000 })).map(({ ranges }) => ranges)).toEqual([
      [[0, 60_000]],
      [[60_000, total]],
    ])
  })
})

function rollout(weights: number[]): Record<string, number>[] {
  return weights.map((on) => ({ off: total - on, on }))
}

/** Weights of a fixed number of variations that sum to 100 000, in steps from coarse to the finest. */
function weightsOf(count: number): fc.Arbitrary<ArmDraft[]> {
  const cuts = fc.array(fc.nat(total), { minLength: count - 1, maxLength: count - 1 })
  const coarse = cuts.map((each) => each.map((cut) => Math.round(cut / 5_000) * 5_000))
  return fc.oneof(cuts, coarse).map((each) => {
    const bounds = [0, ...each.sort((left, right) => left - right), total]
    return bounds
      .slice(1)
      .map((end, index) => ({ variation: `v${index}`, weight: end - (bounds[index] ?? 0) }))
  })
}

const histories = fc
  .integer({ min: 1, max: 7 })
  .chain((count) => fc.array(weightsOf(count), { minLength: 2, maxLength: 12 }))

const setOf = (arms: readonly AssignedArm[], variation: string) =>
  arms.find((arm) => arm.variation === variation)?.ranges ?? []

describe('for any history', () => {
  test('every position has one variation, in proportion to the weights, in few ranges', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let arms: AssignedArm[] | undefined
        for (const next of history) {
          arms = assignRanges(arms, next)
          expect(arms.map(({ ranges }) => sizeOf(ranges))).toEqual(next.map(({ weight }) => weight))
          const all = arms.flatMap(({ ranges }) => ranges)
          expect(toSet(all)).toEqual([[0, total]])
          for (const { ranges } of arms) expect(toSet(ranges)).toEqual(ranges)
          expect(all.length).toBeLessThanOrEqual(next.length * history.length * 2)
        }
      }),
    )
  })

  test('growing variations keep all positions, and shrinking ones gain none', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let arms: AssignedArm[] | undefined
        for (const next of history) {
          const before = arms
          arms = assignRanges(before, next)
          for (const { variation, ranges, weight } of before ?? []) {
            const now = setOf(arms, variation)
            const kept = within(ranges, now)
            if (sizeOf(now) >= weight) expect(kept).toEqual(ranges)
            else expect(kept).toEqual(now)
          }
        }
      }),
    )
  })

  test('a variation that stops while the others grow or stay gets the same users again', () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.infiniteStream(fc.nat(10)), (history, which, shares) => {
        let arms: AssignedArm[] = []
        for (const [index, next] of history.entries())
          arms = assignRanges(index === 0 ? undefined : arms, next)
        const running = arms.map(({ variation, weight }) => ({ variation, weight }))
        const stopped = running[which % running.length]
        if (stopped === undefined || running.length === 1) return

        const paused = handOut(running, stopped, shares)
        const again = assignRanges(assignRanges(arms, paused), running)
        expect(again.map(({ ranges }) => ranges)).toEqual(arms.map(({ ranges }) => ranges))
      }),
    )
  })

  test('claims are preserved when stored, with held positions before released ones', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let arms: AssignedArm[] | undefined
        for (const next of history) {
          arms = assignRanges(arms && JSON.parse(JSON.stringify(arms)), next)
          for (const { claims, ranges } of arms) {
            expect(outside(ranges, toSet(claims))).toEqual([])
            expect(sizeOf(within(claims, ranges))).toBe(sizeOf(ranges))
          }
        }
      }),
    )
  })
})

/** Distributes the weight of one variation over the others. */
function handOut(arms: ArmDraft[], stopped: ArmDraft, shares: Iterator<number>): ArmDraft[] {
  let left = stopped.weight
  const others = arms.filter((arm) => arm !== stopped)
  const [last] = others.slice(-1)
  return arms.map((arm) => {
    if (arm === stopped) return { ...arm, weight: 0 }
    const part =
      arm === last ? left : Math.min(left, Math.floor((stopped.weight * Number(shares.next().value)) / 10))
    left -= part
    return { ...arm, weight: arm.weight + part }
  })
}
