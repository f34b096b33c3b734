// The bounds on invented sites whose true shares are known: read several times while the site runs, over all its flags.

import { expect, test } from 'vitest'
import { attributableEstimate, attributableLower } from '../statistics/attributable-share.ts'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { attributeFailures, attributionLevel, type SplitRun, shareInWords } from './attribute-failures.ts'
import { type FailureDesign, harmful, inventFailures } from './testing/failure-world.ts'

const worlds = 1_000
const ratios = [1, 1, 1.3, 2, 4, 15]
const looks = 6

/** Sites of every size and effect. */
const designOf = (number: number): FailureDesign => ({
  users: [200, 500, 1_000][number % 3] ?? 200,
  flags: 1 + (number % 4),
  ratio: ratios[number % ratios.length] ?? 1,
  risk: number % 7 === 0 ? 0.002 : 0.03,
  looks,
})

type Attribute = (look: { runs: readonly SplitRun[]; events: readonly SplitRun[] }) => readonly {
  run: SplitRun
  variation: string
  atLeast: number
}[]

/** The share of sites with any bound above its true share at any look; and of those without an effect with any bound. */
function errorsOf(attribute: Attribute, count: number) {
  let [above, calm, named] = [0, 0, 0]
  for (let number = 0; number < count; number += 1) {
    const design = designOf(number)
    let [isAbove, isNamed] = [false, false]
    for (const look of inventFailures(design, seededRandom(number + 1), number)) {
      for (const { run, variation, atLeast } of attribute(look)) {
        isAbove ||= atLeast > look.truth(run, variation)
        isNamed = true
      }
    }
    above += Number(isAbove)
    if (design.ratio > 1) continue
    calm += 1
    named += Number(isNamed)
  }
  return { above: above / count, named: named / calm }
}

test('in at least 95 % of 1,000 sites no bound exceeds the true share at any look, and sites without an effect have no bound', () => {
  const { above, named } = errorsOf(({ runs }) => attributeFailures(runs).found, worlds)
  expect(above).toBeLessThanOrEqual(attributionLevel)
  expect(named).toBeLessThanOrEqual(attributionLevel)
}, 120_000)

test('each usual shortcut errs far more often', () => {
  const some = 90
  const estimated: Attribute = ({ runs }) =>
    attributeFailures(runs).found.map((found) => ({ ...found, atLeast: found.estimate }))
  expect(errorsOf(estimated, some).above, 'the estimate for the bound').toBeGreaterThan(0.1)
  const counted: Attribute = ({ events }) => attributeFailures(events).found
  expect(errorsOf(counted, some).named, 'failures for users').toBeGreaterThan(0.3)
  const uneven: Attribute = ({ runs }) =>
    attributeFailures(
      runs.map((run) => ({
        ...run,
        epochs: run.epochs.map((epoch) => ({
          ...epoch,
          arms: epoch.arms.map((arm) => ({ ...arm, weight: 50_000 })),
        })),
      })),
    ).found
  expect(errorsOf(uneven, some).named, 'equal arms').toBeGreaterThan(attributionLevel)
})

test('a strong effect is found, and its bound is close to the truth', () => {
  const design = { users: 4_000, flags: 4, ratio: 12, risk: 0.02, looks: 1 }
  const bounds = Array.from({ length: 20 }, (_, number) => {
    const [look] = inventFailures(design, seededRandom(number + 1), 2 * number)
    const [first, ...others] = attributeFailures(look?.runs ?? []).found
    expect(others).toEqual([])
    expect(first?.variation).toBe(harmful)
    return { atLeast: first?.atLeast ?? 0, truth: look?.truth(first?.run ?? { epochs: [] }, harmful) ?? 0 }
  })
  for (const { atLeast, truth } of bounds) {
    expect(atLeast).toBeLessThan(truth)
    expect(atLeast).toBeGreaterThan(0.6)
  }
})

const runOf = (failed: Record<string, number>, weights = { off: 50_000, on: 50_000 }): SplitRun => ({
  epochs: [
    {
      epoch: 1,
      arms: Object.entries(weights).map(([variation, weight]) => ({ variation, weight })),
      failed: new Map(Object.entries(failed)),
    },
  ],
})

test('the bound is one minus the inverse of the smallest credible ratio, of users by their first failure', () => {
  // By the reference vectors of the share of events: 90 and 40 of equal halves, at 0.01, are at least 1.20696088 times.
  const stages = [{ treatment: 90, control: 40, share: 0.5 }]
  expect(attributableLower(stages, 0.01)).toBeCloseTo(1 - 1 / 1.20696088, 5)
  expect(attributableEstimate(stages)).toBeCloseTo(1 - 40 / 90, 6)
  expect(attributableEstimate([{ treatment: 3, control: 0, share: 0.5 }])).toBe(1)
  expect(attributableEstimate([])).toBeUndefined()
  expect(attributableLower([{ treatment: 40, control: 90, share: 0.5 }], 0.05)).toBe(0)
})

test('more searched variations and issues lower each bound', () => {
  const run = runOf({ on: 60, off: 6 })
  const alone = attributeFailures([run])
  expect(alone).toMatchObject({ compared: 2, found: [{ variation: 'on', units: 60, otherUnits: 6 }] })
  const among = attributeFailures([run, runOf({ on: 30, off: 36 }), runOf({ on: 33, off: 33 })], 40)
  expect(among).toMatchObject({ compared: 6, found: [{ variation: 'on' }] })
  expect(among.found[0]?.atLeast).toBeLessThan(alone.found[0]?.atLeast ?? 0)
  expect(among.found[0]?.atLeast).toBeGreaterThan(0.5)
})

test('with few users, one arm or no split nothing is compared', () => {
  expect(attributeFailures([runOf({ on: 4 })])).toEqual({ compared: 0, found: [] })
  expect(attributeFailures([runOf({ on: 400 }, { off: 0, on: 100_000 })])).toEqual({ compared: 0, found: [] })
  expect(attributeFailures([])).toEqual({ compared: 0, found: [] })
})

test('in words a share is never more than it is', () => {
  expect([0.04, 0.1, 0.3, 0.89, 0.949, 0.95, 0.999].map(shareInWords)).toEqual([
    '4 in 100',
    '1 in 10',
    '3 in 10',
    '8 in 10',
    '9 in 10',
    '95 in 100',
    '99 in 100',
  ])
})
