// A back-test of a site's history, on the real engine and as a stream.

import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../../../../../test/contracts/flags.ts'
import { type GuardEvent, sendEvents } from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { insertPast } from '../evidence/testing/insert-past.ts'
import { inviteVisitors } from '../evidence/testing/visitors.ts'
import { minute, type Release, stage, startRelease } from '../rollouts/testing/release.ts'
import { readSite } from './read-site.ts'

const day = 86_400_000
let release: Release
let environment: { id: string; timeZone: string }
let events: GuardEvent[]

beforeAll(async () => {
  release = await startRelease({ telemetry: true })
  environment = { ...(await placeOf(release.telltale, 'shop', 'production')).environment, timeZone: 'UTC' }
  const site = {
    environment: environment.id,
    split: '77',
    errors: { treatment: 0.08, control: 0.08 },
    lcp: { treatment: 2_000, control: 2_000 },
  }
  const visitors = inviteVisitors(site, 77)
  events = Array.from({ length: 10 }, (_, ago) =>
    visitors.arrive(150, new Date(Date.now() - (ago + 1) * day), { epoch: 1, share: 0.5 }),
  ).flat()
  await insertPast(release.telltale.running.services.telemetry, events, 'past')
})
afterAll(() => release?.[Symbol.asyncDispose]())

const draft = {
  treatment: 'on',
  stages: [
    { weight: 20_000, minDuration: day, minUnits: 0, needsApproval: false },
    { weight: 50_000, minDuration: day, minUnits: 0, needsApproval: false },
    { weight: 100_000, minDuration: day, minUnits: 0, needsApproval: false },
  ],
  metrics: [
    { metric: 'lcp', limit: 0.05, role: 'required', onRegression: 'roll-back' },
    { metric: 'users-with-an-error', limit: 0.25, role: 'required', onRegression: 'roll-back' },
  ],
}

const open = (path: string, signal: AbortSignal | null = null) =>
  fetch(`${release.telltale.url}/api/v1/projects/shop${path}`, { headers: release.owner.headers, signal })

async function plan(key: string): Promise<string> {
  const at = await release.flag(key, {}, 'production')
  const made = await release.ask('POST', `${at}/rollouts`, draft)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return `/rollouts/${made.body.id}/back-test`
}

test('events of users are read in columns, without losing any', async () => {
  const metrics = builtInMetrics
    .filter(({ key }) => ['lcp', 'users-with-an-error', 'errors-per-session'].includes(key))
    .map((metric) => freezeMetric(metric, { limit: 0.05, base: { rate: 0.08 } }))
  const { telemetry } = release.telltale.running.services
  const { site, sampled, from } = await readSite(telemetry, {
    environment,
    metrics,
    flag: 'tried',
    plan: { stages: [], metrics: [], alpha: 0.05, timeBox: day, pool: 100_000 },
    now: new Date(),
  })
  const sum = (values: Float64Array | undefined) => values?.reduce((all, value) => all + value, 0)
  const count = (kind: string) => events.filter((event) => event.kind === kind).length
  expect([site.units, sampled]).toEqual([1_500, 1])
  expect(Date.now() - from).toBeLessThan(11 * day)
  expect(metrics.map(({ metric }) => metric)).toEqual(['lcp', 'users-with-an-error', 'errors-per-session'])
  const [lcp, users, perSession] = site.metrics
  expect(sum(lcp?.by)).toBe(count('vital'))
  expect(sum(users?.of)).toBe(count('error'))
  expect(sum(perSession?.by)).toBe(new Set(events.map(({ session }) => session)).size)
  const slots = new Set(lcp?.slot)
  expect(slots.size).toBeGreaterThanOrEqual(9)
  for (const row of site.metrics)
    expect([...row.slot]).toEqual([...row.slot].sort((one, other) => one - other))
})

test('a plan is run repeatedly, with its false-alarm rate', async () => {
  const opened = await open(`${await plan('tried')}?runs=12`)
  expect(opened.status).toBe(200)
  const messages = await readAll(opened)
  expect(messages[0]).toMatchObject({ type: 'site', people: 1_500, sampled: 1, reading: 1, runs: 12 })
  expect(messages.filter(({ type }) => type === 'progress')).toHaveLength(12)
  const end = messages.at(-1)
  expect(end).toMatchObject({ type: 'end', why: 'done', rate: { runs: 12 } })
  expect(end.rate.rolledBack, 'at 5 % of the runs, four of twelve would be a wonder').toBeLessThanOrEqual(3)
  expect(end.rate.upper).toBeGreaterThan(end.rate.share)
})

test('a plan can be tried before there is a rollout, and an invalid one is rejected with its faults', async () => {
  const at = await release.flag('proposed', {}, 'production')
  const attempt = (body: object) =>
    fetch(`${release.telltale.url}/api/v1/projects/shop${at}/rollout-back-test`, {
      method: 'POST',
      headers: { ...release.owner.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const messages = await readAll(await attempt({ plan: draft, runs: 3 }))
  expect(messages.at(-1)).toMatchObject({ type: 'end', why: 'done', rate: { runs: 3 } })
  const { body } = await release.ask('GET', '/rollouts?flag=proposed')
  expect(body.items).toEqual([])

  const wrong = { plan: { ...draft, treatment: 'none', stages: [...draft.stages].reverse() } }
  const refused = await attempt(wrong)
  expect(refused.status).toBe(422)
  const { errors } = await refused.json()
  expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/treatment',
    '/stages/1/weight',
    '/stages/2/weight',
  ])
})

test('closing the stream ends it', async () => {
  const path = await plan('closed')
  const stopping = new AbortController()
  const opened = await open(path, stopping.signal)
  const reader = opened.body?.getReader()
  await reader?.read()
  stopping.abort()
  await expect
    .poll(
      async () => {
        const again = await open(`${path}?runs=1`)
        if (again.status === 200) await readAll(again)
        return again.status
      },
      { timeout: 20_000 },
    )
    .toBe(200)
})

test('of several concurrent ones, one runs and the others wait', async () => {
  const paths = await Promise.all(['first', 'second', 'third', 'fourth'].map(plan))
  const stopping = new AbortController()
  const opened = await Promise.all(paths.map((path) => open(path, stopping.signal)))
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 503, 503, 503])
  const refused = opened.find(({ status }) => status === 503)
  expect(await refused?.json()).toMatchObject({ type: '/errors/too-many-streams' })
  stopping.abort()
})

test('past rollouts are replayed: when they would have fired, how they ended, and which are deleted', async () => {
  const stages = [stage(50_000), stage(100_000)]
  const { telemetry } = release.telltale.running.services
  const happened = async (key: string, errors: number | undefined, end: string) => {
    const at = await release.flag(key, {}, 'development')
    const path = await release.start(at, { stages })
    const { split, epochs, startedAt } = await release.read(path)
    const site = {
      environment: (await placeOf(release.telltale, 'shop', 'development')).environment.id,
      split,
      errors: { treatment: errors ?? 0, control: 0.08 },
      lcp: { treatment: 2_000, control: 2_000 },
    }
    const visitors = inviteVisitors(site, Number(split))
    const came = Array.from({ length: errors === undefined ? 0 : 10 }, (_, index) =>
      visitors.arrive(200, new Date(Date.parse(startedAt) + (index + 0.5) * minute), {
        epoch: epochs.last,
        share: 0.5,
      }),
    ).flat()
    const named = came.map((event) => ({
      ...event,
      arms: event.arms.map((arm) => ({ ...arm, arm: arm.arm === 'treatment' ? 'on' : 'off' })),
    }))
    if (named.length > 0) await sendEvents(telemetry, named, key)
    await release.look(path, { later: 10 * minute })
    expect((await release.act(path, end)).status).toBe(200)
    return Date.parse(startedAt)
  }
  await happened('forgotten', undefined, 'cancel')
  const from = await happened('harmful', 0.3, 'finish')
  await happened('harmless', 0.08, 'roll-back')

  const at = await release.flag('next', {}, 'development')
  const made = await release.ask('POST', `${at}/rollouts`, { ...draft, stages })
  const messages = await readAll(await open(`/rollouts/${made.body.id}/back-test?runs=1`))
  const past = messages.filter(({ type }) => type === 'past')
  expect(past.map(({ flag, state, missing, by }) => [flag, state, missing, by !== null])).toEqual([
    ['harmless', 'rolled-back', null, true],
    ['harmful', 'completed', null, true],
    ['forgotten', 'cancelled', 'retention', true],
  ])
  expect(past.map(({ alarms }) => alarms.map(({ metric }: { metric: string }) => metric))).toEqual([
    [],
    ['users-with-an-error'],
    [],
  ])
  const [alarm] = past[1]?.alarms ?? []
  expect(alarm).toMatchObject({ onRegression: 'roll-back', stage: 0 })
  expect(Date.parse(alarm.at), 'nobody had come before').toBeGreaterThan(from + minute / 2)
  expect(Date.parse(alarm.at), 'long before somebody ended it').toBeLessThan(from + 8 * minute)
})

test('without users there is nothing to run', async () => {
  const at = await release.flag('empty', {}, 'staging')
  const made = await release.ask('POST', `${at}/rollouts`, draft)
  const messages = await readAll(await open(`/rollouts/${made.body.id}/back-test`))
  expect(messages.at(-1)).toEqual({ type: 'end', rate: null, why: 'nobody' })
})

async function readAll(answer: Response) {
  const text = await answer.text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
}
