import { expect, test } from 'vitest'
import { distinctUnits } from './distinct-units.ts'
import { type ClusteredSums, noSums } from './sums.ts'
import { seededRandom } from './testing/seeded-random.ts'

/** Units by the stages each of them was seen in. */
function sumsOf(units: readonly (readonly number[])[], stages: number): ClusteredSums {
  const inStage = (stage: number) => units.filter((seen) => seen.includes(stage))
  const list = Array.from({ length: stages }, (_, stage) => stage)
  return {
    stages: list.map((stage) => ({
      treatment: { ...noSums, units: inStage(stage).length },
      control: noSums,
    })),
    shared: {
      control: [],
      treatment: list.flatMap((later) =>
        list.slice(0, later).map((earlier) => {
          const both = inStage(later).filter((seen) => seen.includes(earlier)).length
          return { earlier, later, units: both, nn: 0, ny: 0, yn: 0, yy: 0 }
        }),
      ),
    },
  }
}

test('a unit in every stage counts once, and so does a unit that never returns', () => {
  const faithful = Array.from({ length: 60 }, () => [0, 1, 2, 3])
  expect(distinctUnits(sumsOf(faithful, 4), 'treatment')).toBe(60)
  const once = Array.from({ length: 60 }, (_, unit) => [unit % 4])
  expect(distinctUnits(sumsOf(once, 4), 'treatment')).toBe(60)
  expect(distinctUnits(sumsOf([], 4), 'treatment')).toBe(0)
})

test('is a lower bound, and close to the true number', () => {
  const random = seededRandom(5)
  for (let draw = 0; draw < 50; draw += 1) {
    const again = random.uniform()
    const units = Array.from({ length: 300 }, () => {
      const first = Math.floor(random.uniform() * 5)
      return [0, 1, 2, 3, 4].filter((stage) => stage === first || (stage > first && random.uniform() < again))
    })
    const counted = distinctUnits(sumsOf(units, 5), 'treatment')
    expect(counted).toBeLessThanOrEqual(300)
    expect(counted).toBeGreaterThan(225)
  }
})

test('without counts of shared units, only the largest stage counts', () => {
  const { stages } = sumsOf([[0], [0, 1], [1], [1]], 2)
  const shared = { treatment: [{ earlier: 0, later: 1, nn: 0, ny: 0, yn: 0, yy: 0 }], control: [] }
  expect(distinctUnits({ stages, shared }, 'treatment')).toBe(3)
})
