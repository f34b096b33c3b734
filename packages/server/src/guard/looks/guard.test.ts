// The guard on the real engines: from events and evaluations to the values that users get.
import { randomUUID } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import { desc, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  GuardedSite,
  guardWaits,
  minute,
  type SiteDraft,
  stage,
  startGuardedShop,
} from '../../../../../test/guard/guarded-site.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { type Guard, startGuard } from './guard.ts'

let telltale: Telltale
let owner: SomePerson
beforeAll(async () => {
  ;({ telltale, owner } = await startGuardedShop())
})
afterAll(() => telltale[Symbol.asyncDispose]())

const sites: GuardedSite[] = []
async function open(draft: SiteDraft): Promise<GuardedSite> {
  const site = await GuardedSite.open(telltale, owner, draft)
  sites.push(site)
  return site
}
// Otherwise the guard of the next test would find this rollout as well.
afterEach(async () => {
  for (const site of sites.splice(0)) await site.end()
})
const services = () => telltale.running.services

/** A separate guard on a store that a test breaks. */
function guardOn(read: (text: string) => void): Guard {
  const { telemetry } = services()
  return startGuard({
    ...services(),
    telemetry: {
      ...telemetry,
      read: async (text, options) => {
        read(text)
        return telemetry.read(text, options)
      },
    },
  })
}

async function weightsOf(site: GuardedSite): Promise<unknown> {
  const config = await telltale.request(
    'GET',
    `/api/v1/projects/shop/environments/staging/flags/${site.flag}/config`,
    { as: owner },
  )
  return config.body.fallthrough.split.arms.map(
    ({ variation, weight }: { variation: string; weight: number }) => `${variation} ${weight}`,
  )
}

test('a regression is rolled back with its numbers, and all users get the old value', async () => {
  const site = await open({ flag: 'harmful', errors: { treatment: 0.4, control: 0.05 } })
  for (let look = 0; look < 6; look += 1) await site.pass(600)
  expect(await site.log()).toEqual(['start started', 'roll-back regressed users-with-an-error'])
  expect(await site.ask('GET')).toMatchObject({ state: 'rolled-back', weight: 0, stage: 0 })
  expect(await weightsOf(site)).toEqual(['off 100000', 'on 0'])
  const { items } = await site.ask('GET', '/decisions')
  expect(items[0]).toMatchObject({ by: null, metric: 'users-with-an-error' })
  const finding = items[0].findings.find(({ metric }: { metric: string }) => metric === 'users-with-an-error')
  expect(finding.harm.lower).toBeGreaterThan(0.3)
  expect(finding.events.treatment).toBeGreaterThan(finding.events.expected)
})

test('a harmless change reaches all users, stage by stage, and the audit log names the guard', async () => {
  const site = await open({
    flag: 'harmless',
    more: { stages: [10_000, 50_000, 100_000].map((weight) => stage(weight, { minDuration: 2 * minute })) },
  })
  for (let look = 0; look < 9; look += 1) await site.pass(4_000)
  expect(await site.log()).toEqual(['start started', 'advance healthy', 'complete healthy'])
  expect(await site.ask('GET')).toMatchObject({ state: 'completed', weight: 100_000 })
  expect(await weightsOf(site)).toEqual(['off 0', 'on 100000'])
  const audit = await telltale.request('GET', '/api/v1/projects/shop/audit', { as: owner })
  expect(audit.body.items.map(({ actor, action }: never) => [actor, action])).toContainEqual([
    expect.objectContaining({ kind: 'guard' }),
    'rollout.complete',
  ])
})

test('a spike that leaves few sessions is not taken for missing telemetry', async () => {
  const patient = { minDuration: 11 * minute }
  const site = await open({
    flag: 'reduced',
    more: { stages: [stage(10_000, patient), stage(100_000, patient)] },
  })
  for (let look = 0; look < 4; look += 1) await site.pass(1_500)
  const { db, clock } = services()
  const [began] = await db.select().from(rollouts).orderBy(desc(rollouts.createdAt)).limit(1)
  if (began === undefined) throw new Error('there is no rollout')
  const { projectId, environmentId } = began
  const since = { beganAt: clock(), markedAt: clock(), markedEvents: 0 }
  await db.insert(usageSamplings).values({
    ...{ id: randomUUID(), projectId, environmentId, ...since },
    ...{ reason: 'spike', share: 0.01, pausesRecording: false },
  })
  for (let look = 0; look < 7; look += 1) await site.pass(15)
  await db.delete(usageSamplings)
  expect(await site.log()).not.toContain('hold telemetry-silent')
})

test('without any telemetry it holds and never advances while flags are still served', async () => {
  const patient = { minDuration: 11 * minute }
  const site = await open({
    flag: 'cut',
    more: { stages: [stage(10_000, patient), stage(100_000, patient)] },
  })
  for (let look = 0; look < 6; look += 1) await site.pass(1_500)
  for (let look = 0; look < 9; look += 1) await site.pass(1_500, { isCut: true })
  expect(await site.ask('GET')).toMatchObject({
    state: 'holding-blind',
    why: 'telemetry-silent',
    stage: 0,
  })
  await site.pass(1_500)
  expect(await site.ask('GET')).toMatchObject({ state: 'running' })
  expect((await site.log()).slice(-2)).toEqual(['hold telemetry-silent', 'go-on recovered'])
})

test.each(['treatment', 'control'] as const)(
  'missing telemetry of one arm, the %s, is noticed',
  async (silent) => {
    const site = await open({ flag: `silent-${silent}`, silent })
    for (let look = 0; look < 5; look += 1) await site.pass(1_000)
    const { state, stage: at } = await site.ask('GET')
    expect(at).toBe(0)
    expect(['holding-blind', 'holding-split-wrong']).toContain(state)
    expect(await site.log()).not.toContain('advance healthy')
  },
)

test('while the engine is unavailable it holds and logs it; afterwards it resumes where it stopped', async () => {
  const site = await open({ flag: 'away' })
  await site.pass(1_000)
  const guard = guardOn(() => {
    throw problem('engine-unavailable')
  })
  await telltale.running.services.guard.stop()
  for (let look = 0; look < 4; look += 1) await site.pass(500, { guard })
  expect(await site.ask('GET')).toMatchObject({ state: 'holding-blind', why: 'engine-down', stage: 0 })
  await guard.stop()
  await site.pass(100)
  expect(await site.ask('GET')).toMatchObject({ state: 'running', stage: 0 })
})

test('a verdict that cannot be written changes nothing, and is reached again', async () => {
  const site = await open({ flag: 'broken-off', errors: { treatment: 0.5, control: 0.05 } })
  await site.visit(4_000)
  telltale.passTime(minute)
  const { db } = services()
  await services().guard.stop()
  const dying = startGuard({
    ...services(),
    db: new Proxy(db, {
      get: (target, name, receiver) =>
        name === 'transaction'
          ? () => Promise.reject(new Error('the server died'))
          : Reflect.get(target, name, receiver),
    }),
  })
  await dying.look()
  expect(dying.condition()).toMatchObject({ failures: 1, reason: 'the server died' })
  expect(await site.log()).toEqual(['start started'])
  await dying.stop()
  await services().guard.look()
  expect(await site.log()).toEqual(['start started', 'roll-back regressed users-with-an-error'])
})

test('one of two servers looks; when it dies, the other resumes where it stopped', async () => {
  const site = await open({ flag: 'two-servers' })
  await using beside = await startTelltale({ beside: telltale, settings: guardWaits })
  const [first, second] = [services().guard, beside.running.services.guard]
  await site.pass(500, { guard: first })
  const { watched } = await site.ask('GET')
  await second.look()
  expect([first, second].map((guard) => guard.condition().rollouts > 0)).toEqual([true, false])
  expect((await site.ask('GET')).watched).toBe(watched)

  // Its lease expires; it never returns.
  await services().db.execute(sql`UPDATE ${rollouts} SET leased_until = now() - interval '1 second'`)
  await site.pass(500, { guard: second })
  expect(second.condition().rollouts).toBeGreaterThan(0)
  expect((await site.ask('GET')).watched).toBeGreaterThanOrEqual(watched)
  await first.look()
  expect(first.condition().rollouts).toBe(0)
  expect(await site.log()).toEqual(['start started'])
})

test('a server that lost its lease while reading writes nothing', async () => {
  const site = await open({ flag: 'lost-lease', errors: { treatment: 0.5, control: 0.05 } })
  await site.visit(4_000)
  telltale.passTime(minute)
  await services().guard.stop()
  let hasLost = false
  const slow = guardOn(() => {
    hasLost = true
  })
  const takeOver = sql`UPDATE ${rollouts} SET lease_holder = 'another', leased_until = now() + interval '1 minute' WHERE overlay IS NOT NULL`
  const { telemetry } = services()
  const robbed = startGuard({
    ...services(),
    telemetry: {
      ...telemetry,
      read: async (text, options) => {
        await services().db.execute(takeOver)
        return telemetry.read(text, options)
      },
    },
  })
  await robbed.look()
  expect(await site.log()).toEqual(['start started'])
  await services().db.execute(sql`UPDATE ${rollouts} SET lease_holder = NULL, leased_until = NULL`)
  await slow.look()
  expect(hasLost).toBe(true)
  expect(await site.log()).toEqual(['start started', 'roll-back regressed users-with-an-error'])
  await Promise.all([robbed.stop(), slow.stop()])
})

test("the delay of another server's spool is known here", async () => {
  const site = await open({ flag: 'behind' })
  const behind = startGuard({
    ...services(),
    intake: {
      ...services().intake,
      condition: () => ({ ...services().intake.condition(), behind: 3 * minute }),
    },
  })
  await site.pass(500)
  await behind.look()
  await site.pass(500)
  expect(await site.ask('GET')).toMatchObject({ state: 'holding-blind', why: 'spool-behind' })
  await behind.stop()
  await site.pass(500)
  expect(await site.ask('GET')).toMatchObject({ state: 'running' })
})

test('a clock that jumps ends no stage', async () => {
  const site = await open({ flag: 'jumps', more: { stages: [stage(10_000), stage(100_000)] } })
  await site.pass(3_000)
  await site.pass(3_000, { later: 120 * minute })
  expect(await site.ask('GET')).toMatchObject({ stage: 0, state: 'running' })
  const { watched } = await site.ask('GET')
  expect(watched).toBeLessThanOrEqual(2 * minute)
  telltale.passTime(-120 * minute)
  await services().guard.look()
  expect((await site.ask('GET')).watched).toBe(watched)
  expect(await site.log()).toEqual(['start started'])
})

test('a deleted required metric holds; one without users waits', async () => {
  const own = { key: 'paid', name: 'Paid', event: 'paid', aggregation: 'proportion', better: 'higher' }
  await telltale.request('POST', '/api/v1/projects/shop/metrics', { as: owner, body: own })
  const paid = { metric: 'paid', limit: 0.1, role: 'required', onRegression: 'roll-back' }
  const site = await open({ flag: 'deleted', more: { metrics: [paid] } })
  for (let look = 0; look < 5; look += 1) await site.pass(500)
  expect(await site.ask('GET')).toMatchObject({ state: 'running', stage: 0 })
  await telltale.request('DELETE', '/api/v1/projects/shop/metrics/paid', { as: owner })
  await site.pass(500)
  expect(await site.ask('GET')).toMatchObject({ state: 'holding-undecided', why: 'metric-gone', stage: 0 })
  expect((await site.log()).at(-1)).toBe('hold metric-gone paid')
})

test.each([
  ['nobody', 0],
  ['one person', 1],
])('%s is not enough evidence: it waits', async (_who, people) => {
  const site = await open({ flag: `few-${people}` })
  await site.visit(people)
  for (let look = 0; look < 5; look += 1) await site.pass(0)
  expect(await site.ask('GET')).toMatchObject({ state: 'running', stage: 0 })
  expect(await site.log()).toEqual(['start started'])
})

test('all users in one arm is a wrong split: it holds and does not advance', async () => {
  const site = await open({ flag: 'one-arm', silent: 'control' })
  await site.pass(3_000)
  expect(await site.ask('GET')).toMatchObject({ state: 'holding-split-wrong', stage: 0 })
  for (let look = 0; look < 4; look += 1) await site.pass(500)
  expect(await site.log()).toEqual(['start started', 'hold split-wrong'])
})

/** Custom events with this value from all exposed users. */
async function spend(site: GuardedSite, value: string, most = 100_000): Promise<void> {
  const { split } = await site.ask('GET')
  await services().telemetry.command(
    `INSERT INTO events SELECT * REPLACE ('custom' AS kind, 'spent' AS name, toFloat32(${value}) AS value, generateUUIDv4() AS event_id)
    FROM (SELECT * FROM events WHERE kind = 'exposure' AND has(arms.split, toUInt64(${split})) LIMIT ${most})`,
  )
}

test.each([
  ['none', undefined, 'advance healthy'],
  ['no number', 'nan', 'start started'],
  ['an infinite one', 'inf', 'start started'],
  ['one below everything', '-inf', 'start started'],
])('of values with a broken one, %s: %s', async (name, broken, last) => {
  const path = '/api/v1/projects/shop/metrics'
  const metric = { key: 'spent', name: 'Spent', event: 'spent', aggregation: 'mean', better: 'higher' }
  await telltale.request('POST', path, { as: owner, body: metric })
  const spent = { metric: 'spent', limit: 0.3, role: 'required', onRegression: 'roll-back' }
  const site = await open({ flag: `spent-${name.replaceAll(' ', '-')}`, more: { metrics: [spent] } })
  for (let look = 0; look < 4; look += 1) await site.pass(1_500)
  await spend(site, '10 + cityHash64(session_id) % 100 / 50')
  if (broken !== undefined) await spend(site, broken, 20)
  await site.pass(100)
  expect((await site.log()).at(-1)).toBe(last)
  const { state, stage: at } = await site.ask('GET')
  expect([state, at]).toEqual(['running', broken === undefined ? 1 : 0])
})

test('a member who decides while the guard reads wins, and the guard decides again', async () => {
  const site = await open({ flag: 'overtaken', errors: { treatment: 0.5, control: 0.05 } })
  await site.pass(60)
  await site.visit(4_000)
  telltale.passTime(minute)
  await services().guard.stop()
  const { telemetry } = services()
  let paused: Promise<unknown> | undefined
  const late = startGuard({
    ...services(),
    telemetry: {
      ...telemetry,
      read: async (text, options) => {
        paused ??= site.ask('GET').then(({ turn }) => site.ask('POST', '/pause', { turn }))
        await paused
        return telemetry.read(text, options)
      },
    },
  })
  await late.look()
  expect(await site.log()).toEqual(['start started', 'pause a-person'])
  await late.look()
  expect((await site.log()).at(-1)).toBe('roll-back regressed users-with-an-error')
  await late.stop()
})

test('a flag that is archived while its rollout runs is rolled back', async () => {
  const site = await open({ flag: 'archived' })
  await site.pass(100)
  const path = `/api/v1/projects/shop/flags/${site.flag}`
  expect((await telltale.request('POST', `${path}/archive`, { as: owner })).status).toBe(200)
  await services().guard.look()
  expect(await site.ask('GET')).toMatchObject({ state: 'rolled-back', weight: 0 })
})

test('a flag that is turned off while its rollout runs is rolled back', async () => {
  const site = await open({ flag: 'turned-off' })
  await site.pass(100)
  const path = `/api/v1/projects/shop/environments/staging/flags/${site.flag}/config`
  const { body } = await telltale.request('GET', path, { as: owner })
  const { salt: _salt, savedAt: _savedAt, ...config } = body
  const saved = await telltale.request('PUT', path, { as: owner, body: { ...config, enabled: false } })
  expect(saved.status).toBe(200)
  await services().guard.look()
  expect(await site.ask('GET')).toMatchObject({ state: 'rolled-back', weight: 0 })
})

test('its health shows the last look, its duration, and what failed', async () => {
  await services().guard.look()
  const metrics = (await telltale.request('GET', '/metrics')).body
  for (const name of ['last_look_age_seconds', 'look_duration_seconds', 'rollouts', 'failures_total'])
    expect(metrics).toMatch(new RegExp(`^telltale_guard_${name} \\d`, 'm'))
  expect((await telltale.request('GET', '/health/ready')).body.degraded).not.toContain('guard')
})
