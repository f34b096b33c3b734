import { expect, test } from 'vitest'
import type { ArmName } from '../../statistics/sums.ts'
import { seededRandom } from '../../statistics/testing/seeded-random.ts'
import { wilsonInterval } from '../../statistics/wilson.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { runBackTest } from '../testing/run-back-test.ts'
import type { BackTest } from './back-test.ts'
import { positionOf, scheduleStages, type UnitRows } from './site-units.ts'
import { inventSite } from './testing/invent-site.ts'
import { sumUnits, UnitTally } from './unit-tally.ts'

const judged = (errors: 'count' | 'rare-share' | 'share'): JudgedMetric[] => [
  {
    metric: 'lcp',
    method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 },
    better: 'lower',
    limit: 0.0001,
    alphaWeight: 1,
  },
  {
    metric: 'errors',
    method:
      errors === 'count'
        ? { kind: 'count', measure: 'error', per: 'session', cap: 20 }
        : { kind: errors, measure: 'error', of: 'session' },
    better: 'lower',
    limit: 0.0001,
    alphaWeight: 1,
  },
]

const planOf = (weights: readonly number[]): BackTest['plan'] => ({
  alpha: 0.2,
  timeBox: 10,
  pool: 100_000,
  stages: weights.map((weight) => ({ weight, minDuration: 1, minUnits: 0, needsApproval: false })),
  metrics: [
    { metric: 'lcp', role: 'required', onRegression: 'roll-back' },
    { metric: 'errors', role: 'watched', onRegression: 'roll-back' },
  ],
})

test.each([
  { name: 'half and half, counted errors', weights: [50_000], errors: 'count', rate: 0.2 },
  { name: 'half and half, rare errors', weights: [50_000], errors: 'rare-share', rate: 0.04 },
  { name: 'stages, with a share', weights: [10_000, 50_000, 100_000], errors: 'share', rate: 0.3 },
] as const)('the rate of false alarms is in its interval: $name', ({ weights, errors, rate }) => {
  const site = inventSite(600, { seed: 3, errors: rate })
  const test: BackTest = { site, plan: planOf(weights), metrics: judged(errors) }
  const alarms = (from: number, count: number) =>
    Array.from({ length: count }, (_, run) => runBackTest(test, from + run)).filter(
      (found) => found.length > 0,
    ).length
  const reported = wilsonInterval(alarms(0, 150), 150)
  const truth = alarms(10_000, 300) / 300
  // biome-ignore lint/suspicious/noConsole: how often it errs is for people to read.
  console.info(
    `false alarms: ${reported?.share} (${reported?.lower.toFixed(3)} to ${reported?.upper.toFixed(3)}), truly ${truth}`,
  )
  expect(truth).toBeGreaterThanOrEqual(reported?.lower ?? 1)
  expect(truth).toBeLessThanOrEqual(reported?.upper ?? 0)
  expect(truth, 'no more than was agreed').toBeLessThanOrEqual(0.2)
})

test('harm to the drawn users is found, with its look and stage', () => {
  const plan = planOf([20_000, 50_000])
  const harmless = inventSite(3_000, { seed: 5, errors: 0.3 })
  const test: BackTest = { site: harmless, plan, metrics: judged('share') }
  expect(runBackTest(test, 1)).toEqual([])
  // Whoever would be drawn into the treatment of this run meets twice as many errors, from the second half on.
  const isDrawn = (unit: number) => positionOf(unit, 1) < 0.5
  const [lcp, errors] = harmless.metrics
  if (lcp === undefined || errors === undefined) throw new Error('two metrics')
  const hurt: UnitRows = {
    ...errors,
    of: errors.of.map((of, row) => ((errors.slot[row] ?? 0) >= 5 && isDrawn(errors.unit[row] ?? 0) ? 1 : of)),
  }
  const found = runBackTest({ ...test, site: { ...harmless, metrics: [lcp, hurt] } }, 1)
  expect(found).toEqual([{ metric: 'errors', onRegression: 'roll-back', look: expect.any(Number), stage: 1 }])
  expect(found[0]?.look).toBeGreaterThanOrEqual(5)
})

test('stages last as long as they may, somewhere in the past, or have their part of it', () => {
  const past = { slots: 30, width: 1 }
  const plan = { ...planOf([1_000, 50_000, 100_000]), timeBox: 2 }
  expect(scheduleStages(plan, past)).toEqual({ stages: [0, 0, 1, 1], starts: 27, isShortened: false })
  const [first, second] = plan.stages
  if (first === undefined || second === undefined) throw new Error('two stages')
  const long = { ...plan, stages: [first, { ...second, minDuration: 1e9 }] }
  const shortened = { stages: [0, 1, 1, 1, 1], starts: 1, isShortened: true }
  expect(scheduleStages(long, { slots: 5, width: 1 })).toEqual(shortened)
  expect(scheduleStages(planOf([100_000]), past).stages).toEqual([])
  expect(scheduleStages({ ...plan, pool: 50_000 }, past).stages, 'half is all that both have').toEqual([0, 0])
})

test('running sums equal the sums of all rows', () => {
  const random = seededRandom(17)
  const stages = 3
  const units = 40
  const arms = Array.from({ length: units }, () => Math.floor(random.uniform() * 4))
  const drawn = {
    stages,
    armOf: (unit: number, stage: number): ArmName => ((arms[unit] ?? 0) <= stage ? 'treatment' : 'control'),
  }
  const tally = new UnitTally(drawn, units)
  const known = new Map<number, { n: number; y: number }>()
  for (let step = 0; step < 2_000; step += 1) {
    const place = Math.floor(random.uniform() * units * stages)
    const before = known.get(place) ?? { n: 0, y: 0 }
    const now = { n: before.n + 1, y: before.y + Math.floor(random.uniform() * 3) }
    known.set(place, now)
    tally.set(place, now.n, now.y)
  }
  const all = Array.from({ length: units }, (_, unit) => unit)
  const at = (of: 'n' | 'y') =>
    Float64Array.from({ length: units * stages }, (_, place) => known.get(place)?.[of] ?? 0)
  const atOnce = sumUnits(drawn, all, { n: at('n'), y: at('y') })
  expect(atOnce.stages).toEqual(tally.sums.stages)
  for (const arm of ['treatment', 'control'] as const) {
    const inOrder = tally.sums.shared[arm].toSorted((a, b) => a.earlier - b.earlier || a.later - b.later)
    expect(atOnce.shared[arm]).toEqual(inOrder)
  }
  const of = (stage: number, arm: ArmName) =>
    [...known].filter(
      ([place]) => place % stages === stage && drawn.armOf((place - stage) / stages, stage) === arm,
    )
  const { sums } = tally
  for (const [stage, both] of sums.stages.entries()) {
    for (const arm of ['treatment', 'control'] as const) {
      const rows = of(stage, arm).map(([, row]) => row)
      const sum = (value: (row: { n: number; y: number }) => number) =>
        rows.reduce((all, row) => all + value(row), 0)
      expect(both[arm]).toEqual({
        units: rows.length,
        n: sum(({ n }) => n),
        y: sum(({ y }) => y),
        nn: sum(({ n }) => n * n),
        ny: sum(({ n, y }) => n * y),
        yy: sum(({ y }) => y * y),
      })
    }
  }
  for (const arm of ['treatment', 'control'] as const) {
    for (const { earlier, later, nn, ny, yn, yy } of sums.shared[arm]) {
      const expected = { nn: 0, ny: 0, yn: 0, yy: 0 }
      for (let unit = 0; unit < units; unit += 1) {
        if (drawn.armOf(unit, earlier) !== arm || drawn.armOf(unit, later) !== arm) continue
        const [first, second] = [known.get(unit * stages + earlier), known.get(unit * stages + later)]
        if (first === undefined || second === undefined) continue
        expected.nn += first.n * second.n
        expected.ny += first.n * second.y
        expected.yn += first.y * second.n
        expected.yy += first.y * second.y
      }
      expect({ nn, ny, yn, yy }).toEqual(expected)
    }
  }
})
