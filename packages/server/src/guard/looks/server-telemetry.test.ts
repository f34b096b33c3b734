// A flag that only a server evaluates, guarded by what that server reports: real requests to a Fastify application, the
// client for servers, the intake, both engines, and the guard.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { minute, stage, startGuardedShop } from '../../../../../test/guard/guarded-site.ts'
import { ServerSite } from '../../../../../test/guard/server-site.ts'
import type { SomePerson, Telltale } from '../../../../../test/start.ts'

let shop: { telltale: Telltale; owner: SomePerson }
beforeAll(async () => {
  shop = await startGuardedShop()
})
afterAll(() => shop.telltale[Symbol.asyncDispose]())

const metric = 'users-with-a-server-error'
const guarded = (more: object = {}) => ({
  stages: [50_000, 100_000].map((weight) => stage(weight, { minDuration: 2 * minute })),
  metrics: [
    { metric, limit: 0.5, role: 'required', onRegression: 'roll-back' },
    { metric: 'server-requests-p75', limit: 1, role: 'watched', onRegression: 'notify' },
    { metric: 'failed-server-requests', limit: 0.5, role: 'watched', onRegression: 'notify' },
  ],
  ...more,
})

test('a treatment that throws in the server is rolled back by what the server reports', async () => {
  const failing = { treatment: 0.4, control: 0.05 }
  const site = await ServerSite.open(shop, { flag: 'server-harmful', failing, more: guarded() })
  for (let look = 0; look < 4; look += 1) await site.pass(300)
  expect(await site.log()).toEqual(['start started', `roll-back regressed ${metric}`])
  expect(await site.ask('GET')).toMatchObject({ state: 'rolled-back', weight: 0 })

  const { compared } = await site.impact()
  const metrics = new Map(compared.comparisons[0].metrics.map((one: { metric: string }) => [one.metric, one]))
  expect(metrics.get(metric)).toMatchObject({ state: 'regressed', isGuarded: true })
  const [{ metrics: all }] = compared.comparisons
  const { values } = all.find((one: { metric: string }) => one.metric === 'failed-server-requests')
  expect(values.treatment).toBeGreaterThan(3 * values.control)
  for (const duration of ['server-requests-p75', 'server-requests-p95'])
    expect(metrics.get(duration)).toMatchObject({ values: { control: expect.any(Number) } })
  // What browsers report says nothing about it.
  expect(metrics.get('users-with-an-error')).toMatchObject({ state: 'collecting' })
  const visits = compared.withoutUser.errors
  expect(visits).toBeGreaterThan(0)
  expect(compared.withoutUser).toEqual({ errors: visits, requests: visits })

  const { explanations } = await site.impact(`/evidence?treatment=on&metric=${metric}`)
  expect(explanations[0]).toMatchObject({
    kind: 'issue',
    issue: { type: 'TypeError', message: 'the checkout of the treatment failed' },
  })
  // Of users in the treatment whose request failed: their number is in the ID of the trace.
  const { traces } = explanations[0]
  expect(traces).toHaveLength(3)
  for (const { traceId, spanId } of traces) {
    expect(spanId).toBeNull()
    expect(site.thrown.treatment).toContain(traceId)
  }
  await site.end()
})

test('a harmless one advances, and holds with the reason as soon as nothing is reported any more', async () => {
  const failing = { treatment: 0.25, control: 0.25 }
  // Longer than events count as recent.
  const patient = [25_000, 50_000, 100_000].map((weight) => stage(weight, { minDuration: 9 * minute }))
  const more = guarded({ stages: patient })
  const site = await ServerSite.open(shop, { flag: 'server-harmless', failing, more })
  for (let look = 0; look < 2; look += 1) await site.pass(800)
  for (let look = 0; look < 10; look += 1) await site.pass(20, { isCut: true })
  expect(await site.log()).toEqual(['start started', 'hold telemetry-silent'])
  expect(await site.ask('GET')).toMatchObject({ stage: 0, state: 'holding-blind', why: 'telemetry-silent' })
  for (let look = 0; look < 4; look += 1) await site.pass(400)
  expect(await site.log()).toEqual([
    'start started',
    'hold telemetry-silent',
    'go-on recovered',
    'advance healthy',
  ])
  await site.end()
})
