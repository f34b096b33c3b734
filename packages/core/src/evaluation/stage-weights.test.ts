// Property tests of which users a stage reaches, over any split, with other arms beside the two that are compared.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outside, type Piece, sizeOf, toSet } from './positions.ts'
import { assignRanges } from './ranges.ts'
import { poolOf, weightsAt } from './stage-weights.ts'

const total = 100_000
const two = { control: 'old', treatment: 'new' }

/** A split of three, with or without the treatment, and stages that grow to the maximum. */
const splits = fc
  .record({
    others: fc.integer({ min: 0, max: 60_000 }),
    already: fc.integer({ min: 0, max: 10_000 }),
    stages: fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
  })
  .map(({ others, already, stages }) => {
    const arms = [
      { variation: 'old', weight: total - others - already },
      { variation: 'other', weight: others },
      { variation: 'new', weight: already },
    ]
    const pool = poolOf(arms, two)
    const weights = stages.map((share) => Math.max(already, Math.round(pool * share))).sort((a, b) => a - b)
    return { arms: assignRanges(undefined, arms), weights, pool }
  })

type Arms = ReturnType<typeof assignRanges>

function serve(arms: Arms, weight: number): Arms {
  const weights = weightsAt(arms, { ...two, weight })
  if (weights === undefined) throw new Error('it does not fit')
  return assignRanges(arms, weights)
}

const held = (arms: Arms, variation: string): Piece[] =>
  toSet(arms.find((arm) => arm.variation === variation)?.ranges ?? [])
const left = (before: Piece[], after: Piece[]) => sizeOf(outside(before, after))

test('users in the treatment keep it at every later stage, and others are unaffected', () => {
  fc.assert(
    fc.property(splits, ({ arms, weights, pool }) => {
      let served = arms
      for (const weight of weights) {
        const next = serve(served, weight)
        expect(left(held(served, 'new'), held(next, 'new'))).toBe(0)
        expect(held(next, 'other')).toEqual(held(arms, 'other'))
        expect([sizeOf(held(next, 'new')), sizeOf(held(next, 'old'))]).toEqual([weight, pool - weight])
        served = next
      }
    }),
    { numRuns: 200 },
  )
})

test('after a rollback no user has it, and a new start reaches the same users', () => {
  fc.assert(
    fc.property(splits, ({ arms, weights }) => {
      const [first = 0] = weights
      const started = serve(arms, first)
      const largest = weights.reduce(serve, started)
      const back = serve(largest, 0)
      expect(held(back, 'new')).toEqual([])
      expect(held(serve(back, first), 'new')).toEqual(held(started, 'new'))
    }),
    { numRuns: 200 },
  )
})

test('a split without the control, or with too little weight for the stage, is rejected', () => {
  expect(weightsAt([{ variation: 'other', weight: total }], { ...two, weight: 1 })).toBeUndefined()
  const half = [
    { variation: 'old', weight: 50_000 },
    { variation: 'other', weight: 50_000 },
  ]
  expect(weightsAt(half, { ...two, weight: 50_001 })).toBeUndefined()
  expect(weightsAt(half, { ...two, weight: 50_000 })).toEqual([
    { variation: 'old', weight: 0 },
    { variation: 'other', weight: 50_000 },
    { variation: 'new', weight: 50_000 },
  ])
})
