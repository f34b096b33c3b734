// From events to decisions: engine, sums, statistics and guard together, with an injected clock.
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { RolloutPlan } from '@telltale/core/guard/rollout'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { inviteVisitors, type Site } from './testing/visitors.ts'
import { watchRollout } from './testing/watch-rollout.ts'

const minute = 60_000
const stage = (weight: number) => ({ weight, minDuration: 3 * minute, minUnits: 100, needsApproval: false })
const plan: RolloutPlan = {
  stages: [stage(10_000), stage(50_000), stage(100_000)],
  metrics: [
    { metric: 'lcp', role: 'required', onRegression: 'roll-back' },
    { metric: 'users-with-an-error', role: 'required', onRegression: 'roll-back' },
  ],
  alpha: 0.05,
  timeBox: 48 * 60 * minute,
  whenUndecided: 'hold',
  startedBy: 'ada',
}
const metrics: JudgedMetric[] = plan.metrics.flatMap(({ metric }) =>
  builtInMetrics
    .filter(({ key }) => key === metric)
    .map((one) => freezeMetric(one, { limit: 0.3, base: { rate: 0.05 } })),
)
const harmless = {
  environment: '0190b3a4-0000-7000-8000-000000000009',
  errors: { treatment: 0.05, control: 0.05 },
  lcp: { treatment: 1_500, control: 1_500 },
}

let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
})
afterAll(() => telltale[Symbol.asyncDispose]())

async function watch(site: Site, people: number, looks: number) {
  const visitors = inviteVisitors(site, Number(site.split))
  const { telemetry } = telltale.running.services
  const run = {
    telemetry,
    site,
    visitors,
    plan,
    metrics,
    interval: minute,
    startedAt: Date.UTC(2026, 10, 21),
  }
  const end = await watchRollout({ ...run, people, looks })
  return { ...end, harmed: visitors.harmed() }
}

test('errors tripled at 10 % of a thousand users a minute are rolled back in minutes', async () => {
  const { rollout, decisions, looks, harmed } = await watch(
    { ...harmless, split: '21', errors: { treatment: 0.15, control: 0.05 } },
    1_000,
    12,
  )
  expect(rollout).toMatchObject({
    state: 'rolled-back',
    reason: 'regressed',
    regressed: ['users-with-an-error'],
  })
  expect(looks).toBeLessThanOrEqual(8)
  expect(harmed).toBeLessThan(150)
  const found = decisions.at(-1)?.findings.find(({ metric }) => metric === 'users-with-an-error')
  expect(found?.harm?.lower).toBeGreaterThan(0.3)
  expect(found?.events?.treatment).toBe(harmed)
})

test('a harmless treatment completes, stage by stage', async () => {
  const { rollout, decisions } = await watch({ ...harmless, split: '22' }, 2_500, 20)
  expect(rollout).toMatchObject({ state: 'completed', regressed: [], splitWrong: undefined })
  expect(decisions.map(({ action }) => action)).toEqual(['start', 'advance', 'complete'])
})

test('a silent arm prevents advancing', async () => {
  const { rollout } = await watch({ ...harmless, split: '23', silent: 'treatment' }, 500, 5)
  expect(rollout.stage).toBe(0)
  expect(['running', 'holding-blind', 'holding-split-wrong']).toContain(rollout.state)
})
