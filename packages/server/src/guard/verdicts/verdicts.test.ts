// Splits without a guard on the real engines: planted harm is found, and verdicts go with their split.
import { eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { sendEvents } from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { unguardedBudgets, unguardedSplits } from '../../platform/engines/postgres/unguarded-schema.ts'
import { inviteVisitors, type Site } from '../evidence/testing/visitors.ts'
import { judgeSplits } from './judge-splits.ts'

let telltale: Telltale
let owner: SomePerson
let environment: string
const project = '/api/v1/projects/shop'
const flagUrl = `${project}/environments/staging/flags`

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  environment = (await ask('GET', `${project}/environments/staging`)).id
})
afterAll(() => telltale[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, path, { as: owner, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

interface SplitFlag {
  id: string
  epoch: number
}

/** Serves `on` to half of the users; the treatment is listed first. */
async function serve(key: string, on = 50_000, enabled = true): Promise<SplitFlag> {
  const { salt: _salt, savedAt: _at, ...config } = await ask('GET', `${flagUrl}/${key}/config`)
  const split = [
    { variation: 'on', weight: on },
    { variation: 'off', weight: 100_000 - on },
  ]
  const saved = await ask('PUT', `${flagUrl}/${key}/config`, { ...config, enabled, fallthrough: { split } })
  return saved.fallthrough.split
}

async function openFlag(key: string): Promise<SplitFlag> {
  await ask('POST', `${project}/flags`, { key, name: key, valueType: 'boolean', clientVisible: true })
  return serve(key)
}

const harmless: Omit<Site, 'environment' | 'split'> = {
  errors: { treatment: 0.05, control: 0.05 },
  lcp: { treatment: 1_500, control: 1_500 },
  failed: { treatment: 0.04, control: 0.04 },
}
let seed = 0

async function visit({ id, epoch }: SplitFlag, lived: Partial<Site>, people = 2_500): Promise<void> {
  seed += 1
  const { services } = telltale.running
  const site = { ...harmless, ...lived, environment, split: id }
  const events = inviteVisitors(site, seed).arrive(people, services.clock(), { epoch, share: 0.5 })
  const named = events.map((event) => ({
    ...event,
    arms: event.arms.map((arm) => ({ ...arm, arm: arm.arm === 'treatment' ? 'on' : 'off' })),
  }))
  await sendEvents(services.telemetry, named, `verdicts-${seed}`)
}

/**
 * All splits are due again. The server judges at the same time: a pass that it began before may postpone them once
 * more, or still hold a lease.
 */
async function judge(services = telltale.running.services): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await untilNoneIsLeased()
    telltale.passTime(60_000)
    await judgeSplits(services)
  }
  await untilNoneIsLeased()
}

async function untilNoneIsLeased(): Promise<void> {
  const { db } = telltale.running.services
  const leased = () => db.select().from(unguardedSplits).where(isNotNull(unguardedSplits.leasedUntil))
  await expect.poll(leased, { timeout: 20_000 }).toEqual([])
}

async function telltales(flag?: string) {
  const { items } = await ask('GET', `${project}/telltales?env=staging`)
  return flag === undefined ? items : items.find((one: { flag: string }) => one.flag === flag)
}

const people = 5_000
const harms: readonly (readonly [string, Partial<Site>, string])[] = [
  ['errors', { errors: { treatment: 0.1, control: 0.05 } }, 'users-with-an-error'],
  ['slow', { lcp: { treatment: 2_100, control: 1_500 } }, 'lcp'],
  ['requests', { failed: { treatment: 0.1, control: 0.04 } }, 'users-with-a-failed-request'],
]

test.each(harms)('planted harm is found without a guard: %s', async (flag, lived, metric) => {
  await visit(await openFlag(flag), lived, people)
  await judge()
  const found = await telltales(flag)
  expect(found).toMatchObject({
    kind: 'unguarded',
    place: 'fallthrough',
    control: 'off',
    treatment: 'on',
    override: 'fluttering',
    worst: { metric, state: 'regressed' },
    harm: { metric },
  })
  expect(found.regressed).toContain(metric)
  expect(found.harm.usersPerHour).toBeGreaterThan(20)
  expect(found.users.treatment + found.users.control).toBe(people)
})

test('without harm nothing is regressed; each split has its own part of the budget', async () => {
  await visit(await openFlag('calm'), {})
  await judge()
  expect(await telltales('calm')).toMatchObject({ regressed: [], harm: null, override: null })
  const parts = (await telltales()).map((one: { alpha: number }) => one.alpha)
  expect(new Set(parts).size).toBe(harms.length + 1)
  expect(parts.reduce((sum: number, part: number) => sum + part, 0)).toBeLessThan(0.05)
})

test('a regression stays for the epoch, and changed weights begin from nothing', async () => {
  const split = await openFlag('latched')
  await visit(split, { errors: { treatment: 0.3, control: 0.05 } }, 1_000)
  await judge()
  expect(await telltales('latched')).toMatchObject({ override: 'fluttering' })
  await visit(split, { errors: { treatment: 0.05, control: 0.3 } }, 3_000)
  await judge()
  expect(await telltales('latched')).toMatchObject({
    override: 'fluttering',
    regressed: expect.arrayContaining(['users-with-an-error']),
  })
  const [before] = await rowOf(split)
  const changed = await serve('latched', 30_000)
  expect(changed.epoch).toBe(split.epoch + 1)
  expect(await telltales('latched')).toBeUndefined()
  await visit(changed, {}, 1_000)
  await judge()
  expect(await telltales('latched')).toMatchObject({ epoch: changed.epoch, regressed: [] })
  const [after] = await rowOf(split)
  expect(after?.ordinal).toBeGreaterThan(before?.ordinal ?? 0)
})

test('a split is only read again when something was measured', async () => {
  const split = await openFlag('quiet')
  await visit(split, {}, 400)
  await judge()
  const { services } = telltale.running
  const read = services.telemetry.read.bind(services.telemetry)
  const texts: string[] = []
  const telemetry = Object.create(services.telemetry, {
    read: {
      value: (text: string, options: Parameters<typeof read>[1]) => {
        texts.push(text)
        return read(text, options)
      },
    },
  })
  // Unless the server was faster.
  const judgeAgain = () => judge({ ...services, telemetry }).then(() => texts.length)
  await expect.poll(judgeAgain, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(texts.filter((text) => !text.includes('sum(n)) AS n FROM unit_measures'))).toEqual([])
})

test('few users take no part of the budget; the verdict goes with the flag', async () => {
  const split = await openFlag('young')
  await visit(split, { errors: { treatment: 0.9, control: 0 } }, 30)
  await judge()
  expect(await telltales('young')).toMatchObject({ override: 'waiting', alpha: null })
  await serve('young', 50_000, false)
  expect(await telltales('young')).toBeUndefined()
  await judge()
  expect(await rowOf(split)).toEqual([])
  await ask('POST', `${project}/flags/slow/archive`)
  expect(await telltales('slow')).toBeUndefined()
})

test('a running rollout judges its split itself', async () => {
  await visit(await openFlag('guarded'), {}, 400)
  await judge()
  expect(await telltales('guarded')).toMatchObject({ kind: 'unguarded' })
  const made = await ask('POST', `${flagUrl}/guarded/rollouts`, { treatment: 'on' })
  await ask('POST', `${project}/rollouts/${made.id}/start`, { turn: 0 })
  expect((await telltales()).filter(({ flag }: { flag: string }) => flag === 'guarded')).toMatchObject([
    { kind: 'guarded', rollout: made.id },
  ])

  await ask('POST', `${project}/rollouts/${made.id}/roll-back`, {})
  expect(await telltales('guarded')).toMatchObject({ kind: 'guarded', state: 'rolled-back' })
  // Later than the rollback.
  telltale.passTime(1_000)
  await visit(await serve('guarded', 40_000), {}, 400)
  await judge()
  expect((await telltales()).filter(({ flag }: { flag: string }) => flag === 'guarded')).toMatchObject([
    { kind: 'unguarded', alpha: expect.any(Number) },
  ])
})

test('a place in the budget is never given twice', async () => {
  const { db } = telltale.running.services
  const [budget] = await db
    .select()
    .from(unguardedBudgets)
    .where(eq(unguardedBudgets.environmentId, environment))
  const given = (await db.select().from(unguardedSplits)).flatMap(({ ordinal }) => ordinal ?? [])
  expect(new Set(given).size).toBe(given.length)
  expect(Math.max(...given)).toBeLessThanOrEqual(budget?.judged ?? 0)
})

const rowOf = ({ id }: SplitFlag) =>
  telltale.running.services.db
    .select()
    .from(unguardedSplits)
    .where(eq(unguardedSplits.splitId, BigInt(id)))
