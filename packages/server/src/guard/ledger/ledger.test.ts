// A month of harm whose cause is known, on the real engines: the ledger, its export, its budget, and rollouts that wait.

import { monthAt } from '@telltale/core/query/months'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAsOwner, GuardedSite, minute, startGuardedShop } from '../../../../../test/guard/guarded-site.ts'
import type { SomePerson, Telltale } from '../../../../../test/start.ts'
import { refreshLedgers } from './refresh-ledgers.ts'

const hour = 60 * minute
const day = 24 * hour
const usersPerArm = 400
let telltale: Telltale
let owner: SomePerson
let ask: ReturnType<typeof askAsOwner>
let environment: string
const splits: Record<string, string> = {}
const ledgerPath = '/environments/staging/ledger'

beforeAll(async () => {
  ;({ telltale } = await startGuardedShop())
  const now = () => telltale.running.services.clock().getTime()
  // The month must not end during the test.
  if (monthAt(now(), 'UTC') !== monthAt(now() + day, 'UTC')) telltale.passTime(2 * day)
  owner = await telltale.person({ role: 'owner' })
  ask = askAsOwner(telltale, owner)
  environment = (await ask('GET', '/environments/staging')).id
  for (const flag of ['checkout', 'menu']) splits[flag] = await serve(flag)
  await serve('banner', { variation: 'on' })
  telltale.passTime(hour)

  const rows: string[] = []
  for (let user = 1; user <= 2 * usersPerArm; user += 1) {
    for (const flag of ['checkout', 'menu']) rows.push(rowOf('exposure', user, [flag]))
    // With the variation one in five fails, with the control one in fifty.
    const isFailing = user % 2 === 1 ? user % 10 === 1 : user % 100 === 2
    if (isFailing) rows.push(rowOf('error', user, ['checkout', 'menu']))
  }
  // One user of `menu` alone, again and again.
  for (let n = 0; n < 8_000; n += 1) rows.push(rowOf('error', 1, ['menu']))
  await insert(rows, 'month')
  await refreshLedgers(telltale.running.services)
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

/** A flag in staging; returns the id of its split. */
async function serve(flag: string, fallthrough?: object): Promise<string> {
  const half = ['on', 'off'].map((variation) => ({ variation, weight: 50_000 }))
  await ask('POST', '/flags', { key: flag, name: flag, valueType: 'boolean', clientVisible: true })
  const path = `/environments/staging/flags/${flag}/config`
  const { version, salt: _salt, savedAt: _savedAt, ...config } = await ask('GET', path)
  const saved = await ask('PUT', path, {
    ...config,
    ...{ enabled: true, fallthrough: fallthrough ?? { split: half }, version },
  })
  return saved.fallthrough.split?.id ?? ''
}

/** Both variations of `checkout` have the same users of both variations of `menu`. */
const armOf = (flag: string, user: number) =>
  (flag === 'checkout' ? user % 2 : Math.floor(user / 2) % 2) === 1 ? 'on' : 'off'

const columns = ['environment_id', 'kind', 'ts', 'event_id', 'session_id', 'user_hash', 'arms'] as const
interface Arms {
  split: string
  epoch: number
  arm: string
}

function rowOf(kind: string, user: number, of: readonly string[] | Arms): string {
  const at = telltale.running.services.clock().toISOString().replace('T', ' ').replace('Z', '')
  const arms =
    'split' in of
      ? [[of.split, of.epoch, of.arm, String(1_000 + user)]]
      : of.map((flag) => [splits[flag], 1, armOf(flag, user), String(1_000 + user)])
  return JSON.stringify([environment, kind, at, newId(), newId(), String(user), arms])
}

async function insert(rows: readonly string[], token: string): Promise<void> {
  const batch = { table: 'events', columns, rows: Buffer.from(rows.join('\n')), token } as const
  expect(await telltale.running.services.telemetry.insert(batch)).toMatchObject({ kind: 'stored' })
}

async function refresh(): Promise<void> {
  telltale.passTime(11 * minute)
  await refreshLedgers(telltale.running.services)
}

test('each variation has its excess affected users, and a user who fails a thousand times counts once', async () => {
  const { figures, month, months, budget } = await ask('GET', ledgerPath)
  expect(months).toEqual([month])
  expect(budget).toBeNull()
  expect(figures).toMatchObject({ users: 2 * usersPerArm, leftOut: 0, isComplete: false })
  expect(figures.unsplit).toEqual({ flags: ['banner'], count: 1 })
  const [checkout, menu] = figures.entries
  expect(checkout).toMatchObject({ flag: 'checkout', variation: 'on', control: 'off', fault: null })
  expect(checkout).toMatchObject({ users: usersPerArm, controlUsers: usersPerArm, together: [] })
  expect(checkout.harm.any).toMatchObject({ affected: 80, controlAffected: 8 })
  expect(checkout.harm.any.estimate).toBeCloseTo(72, 0)
  expect(checkout.harm.any.confirmed).toBeGreaterThan(20)
  expect(checkout.harm.any.lower).toBeGreaterThanOrEqual(checkout.harm.any.confirmed)
  expect(checkout.harm.error).toEqual(checkout.harm.any)
  expect(checkout.harm['blank-view']).toBeNull()
  expect(menu).toMatchObject({ flag: 'menu', harm: { any: { confirmed: 0 } } })
  expect(menu.harm.any.affected + menu.harm.any.controlAffected).toBe(88)
  expect(menu.harm.any.lower).toBeLessThan(0)
  expect(menu.harm.any.upper).toBeGreaterThan(0)
  expect(figures.confirmed).toBeCloseTo(checkout.harm.any.confirmed, 9)
})

test('the export has one line per variation and kind', async () => {
  const { status, body } = await telltale.request('GET', `/api/v1/projects/shop${ledgerPath}/export`, {
    as: owner,
  })
  expect(status).toBe(200)
  const lines = String(body).trimEnd().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[1]).toMatch(/^20\d\d-\d\d,checkout,on,off,400,400,any,80,8,72(\.\d)?,[\d.]+,[\d.]+,[\d.]+,,$/)
  const unknown = await ask('GET', `${ledgerPath}?month=2020-01`)
  expect(unknown.figures).toBeNull()
})

test('admins set the budget, and rollouts wait while it is spent unless a maintainer continues with a reason', async () => {
  const path = `/api/v1/projects/shop${ledgerPath}/budget`
  const body = { amount: 10, unit: 'users', policy: 'wait' }
  const maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  expect((await telltale.request('PUT', path, { as: maintainer, body })).status).toBe(403)
  const wrong = { amount: 3, unit: 'share', policy: 'wait' }
  expect((await telltale.request('PUT', path, { as: owner, body: wrong })).status).toBe(400)
  expect((await telltale.request('PUT', path, { as: owner, body })).status).toBe(204)
  const spent = (await ask('GET', ledgerPath)).budget
  expect(spent).toMatchObject({ ...body, allowed: 10, isSpent: true })

  const site = await GuardedSite.open(telltale, owner, { flag: 'calm' })
  for (let look = 0; look < 8 && (await site.ask('GET')).state === 'running'; look += 1)
    await site.pass(2_000)
  const { id, ...waiting } = await site.ask('GET')
  expect(waiting).toMatchObject({ state: 'holding-undecided', why: 'budget-spent', stage: 0 })
  expect((await ask('GET', ledgerPath)).waiting).toEqual([{ rollout: id, flag: 'calm' }])

  const advance = async (as: SomePerson, comment?: string) => {
    const { turn } = await site.ask('GET')
    return telltale.request('POST', `/api/v1/projects/shop${site.path}/advance`, {
      as,
      body: { turn, comment },
    })
  }
  const editor = await telltale.person({ in: { shop: 'editor' } })
  expect(await advance(maintainer)).toMatchObject({ status: 409, body: { type: '/errors/budget-spent' } })
  expect(await advance(editor, 'Needed today')).toMatchObject({ status: 409 })
  expect((await advance(maintainer, 'Needed today')).status).toBe(200)
  expect((await site.log()).at(-1)).toBe('advance budget-spent')
  const { items } = await ask('GET', '/audit?action=rollout.advance')
  expect(items[0]).toMatchObject({ reason: 'Needed today' })

  expect((await telltale.request('DELETE', path, { as: owner })).status).toBe(204)
  for (let look = 0; look < 8 && (await site.ask('GET')).stage === 1; look += 1) await site.pass(2_000)
  expect((await site.log()).at(-1)).not.toBe('hold budget-spent')
  await site.end()
})

test('a rollback prevents the harm of the users who would have been next', async () => {
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'harmful',
    errors: { treatment: 0.4, control: 0.02 },
  })
  for (let look = 0; look < 12 && (await site.ask('GET')).state === 'running'; look += 1)
    await site.pass(1_200)
  const rollout = await site.ask('GET')
  expect(rollout).toMatchObject({ state: 'rolled-back', stage: 0 })
  // In the planned time of the stage of 50%.
  telltale.passTime(4 * minute)
  const arms = { split: rollout.split, epoch: 9, arm: 'off' }
  const spared = Array.from({ length: 1_000 }, (_, user) => rowOf('exposure', 100_000 + user, arms))
  await insert(spared, 'spared')
  await refresh()
  const { figures } = await ask('GET', ledgerPath)
  const [found] = figures.rollbacks
  expect(found).toMatchObject({ rollout: rollout.id, flag: 'harmful', kind: 'error' })
  expect(found.prevented.spared).toBeCloseTo(500, 6)
  // 0.38 more of the users failed.
  expect(found.prevented.lower).toBeGreaterThan(40)
  expect(found.prevented.lower).toBeLessThan(190)
  expect(found.prevented.upper).toBeGreaterThan(190)
})
