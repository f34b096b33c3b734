import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../../../../../test/contracts/flags.ts'
import { insertPast } from '../evidence/testing/insert-past.ts'
import { inviteVisitors } from '../evidence/testing/visitors.ts'
import { type Release, startRelease } from './testing/release.ts'

let release: Release
beforeAll(async () => {
  release = await startRelease({ telemetry: true })
})
afterAll(() => release[Symbol.asyncDispose]())

const propose = async (at: string) => {
  const { status, body } = await release.ask('GET', `${at}/rollout-proposal?treatment=on`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

test('without telemetry nothing can be decided, and the dialog says so', async () => {
  const at = await release.flag('quiet', {}, 'staging')
  const { traffic, stages, metrics, pool, unmeasured } = await propose(at)
  expect([pool, unmeasured]).toEqual([100_000, null])
  expect(traffic.units).toBe(0)
  expect(stages.length).toBeGreaterThan(1)
  for (const { role, smallest } of metrics) expect([role, smallest]).toEqual(['watched', null])
})

test('recent traffic determines stages, durations and limits, which can be started unchanged', async () => {
  const at = await release.flag('busy', {}, 'production')
  const { environment } = await placeOf(release.telltale, 'shop', 'production')
  const { telemetry } = release.telltale.running.services
  const site = {
    environment: environment.id,
    split: '77',
    errors: { treatment: 0.04, control: 0.04 },
    lcp: { treatment: 2_000, control: 2_000 },
  }
  const visitors = inviteVisitors(site, 77)
  const yesterday = new Date(Date.now() - 86_400_000)
  const events = visitors.arrive(4_000, yesterday, { epoch: 1, share: 0.5 })
  await insertPast(telemetry, events, 'proposal')

  const { traffic, stages, timeBox, metrics } = await propose(at)
  expect(traffic).toMatchObject({ units: 4_000, reading: 1 })
  const lcp = metrics.find(({ metric }: { metric: string }) => metric === 'lcp')
  expect(lcp.base).toBeGreaterThan(2_600)
  expect(lcp.base).toBeLessThan(3_000)
  const errors = metrics.find(({ metric }: { metric: string }) => metric === 'users-with-an-error')
  expect(errors.base).toBeCloseTo((visitors.harmed() / 4_000) * 2, 1)
  expect(lcp).toMatchObject({ role: 'required' })
  expect(lcp.smallest).toBeGreaterThan(0)
  expect(lcp.limit).toBeGreaterThanOrEqual(lcp.smallest)
  expect(lcp).toMatchObject({ measuredIn: 'ms', spread: { isQuantile: true, rareShare: null } })
  expect(lcp.smallestIn).toHaveLength(stages.length)
  expect(lcp.smallestIn.at(-1)).toBeNull()

  const plan = {
    treatment: 'on',
    timeBox,
    stages: stages.map(({ units: _units, ...stage }: { units: object }) => stage),
    metrics: metrics
      .filter(({ isUsual }: { isUsual: boolean }) => isUsual)
      .map(({ metric, limit, role, onRegression }: Record<string, unknown>) => ({
        metric,
        limit,
        role,
        onRegression,
      })),
  }
  const rollout = await release.start(at, plan)
  expect(await release.read(rollout)).toMatchObject({ state: 'running', weight: stages[0].weight })
})

test('an unused unit is reported before starting with it', async () => {
  const at = await release.flag('by-team', {}, 'staging')
  const { body } = await release.ask('GET', `${at}/rollout-proposal?treatment=on&by=team`)
  expect(body).toMatchObject({ by: 'team', unmeasured: expect.stringContaining('"team"') })
})
