import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'

let telltale: Telltale
let owner: SomePerson
const project = '/api/v1/projects/shop'

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: unknown) =>
  telltale.request(method, project + path, { as: owner, body })
const telltales = async (query = '') => (await ask('GET', `/telltales${query}`)).body.items

async function rollOut(key: string) {
  await ask('POST', '/flags', { key, name: key, valueType: 'boolean', clientVisible: true })
  const at = `/environments/development/flags/${key}`
  const { version, salt: _salt, savedAt: _at, ...config } = (await ask('GET', `${at}/config`)).body
  await ask('PUT', `${at}/config`, { ...config, enabled: true, fallthrough: { variation: 'off' }, version })
  const made = await ask('POST', `${at}/rollouts`, { treatment: 'on' })
  const started = await ask('POST', `/rollouts/${made.body.id}/start`, { turn: 0 })
  expect(started.status).toBe(200)
  return made.body.id
}

test("a flag has a telltale from the start of its rollout, with the guard's worst metric", async () => {
  const id = await rollOut('checkout')
  expect(await telltales()).toMatchObject([
    { flag: 'checkout', env: 'development', rollout: id, state: 'running', override: 'waiting', worst: null },
  ])
  const finding = (metric: string, estimate: number) => ({
    metric,
    state: 'watching' as const,
    units: { treatment: 400, control: 400 },
    harm: { lower: estimate - 0.02, estimate, upper: estimate + 0.03 },
    limit: 0.05,
    margin: 0.5,
  })
  const seen = {
    at: '2026-11-20T10:00:00.000Z',
    units: { treatment: 400, control: 400 },
    findings: [finding('lcp', 0), finding('inp', 0.03)],
  }
  await telltale.running.services.db.update(rollouts).set({ seen }).where(eq(rollouts.id, id))
  expect(await telltales('?env=development')).toMatchObject([
    {
      checkedAt: seen.at,
      override: null,
      worst: { metric: 'inp', name: 'Interaction to Next Paint', better: 'lower', harm: { estimate: 0.03 } },
    },
  ])
  expect(await telltales('?env=production')).toEqual([])
})

test('every call returns the same users of a rollout, also if a metric was measured on fewer', async () => {
  const id = await rollOut('delivery')
  const users = { treatment: 591, control: 1_114 }
  const findings = ['lcp', 'inp'].map((metric) => ({
    metric,
    state: 'watching' as const,
    units: { treatment: 580, control: 1_100 },
    limit: 0.05,
    margin: 0.5,
    harm: { lower: -0.02, estimate: 0.01, upper: 0.03 },
  }))
  const seen = { at: '2026-11-20T10:00:00.000Z', units: users, findings }
  const { db } = telltale.running.services
  await db.update(rollouts).set({ seen }).where(eq(rollouts.id, id))
  const listed = (await ask('GET', '/rollouts')).body.items.find((one: { id: string }) => one.id === id)
  const opened = (await ask('GET', `/rollouts/${id}`)).body
  const [reported] = (await telltales()).filter(({ flag }: { flag: string }) => flag === 'delivery')
  for (const found of [
    listed.seen.units,
    listed.telltale.users,
    opened.seen.units,
    opened.telltale.users,
    reported.users,
  ])
    expect(found).toEqual(users)
  for (const { units } of [...listed.seen.findings, ...opened.seen.findings, reported.worst]) {
    expect(units.treatment).toBeLessThanOrEqual(users.treatment)
    expect(units.control).toBeLessThanOrEqual(users.control)
  }
})

test('it hangs down after a rollback; a cancelled rollout has none', async () => {
  const back = await rollOut('search')
  await ask('POST', `/rollouts/${back}/roll-back`, {})
  const off = await rollOut('banner')
  await ask('POST', `/rollouts/${off}/cancel`, { turn: 1 })
  const found = await telltales()
  const of = (key: string) => found.find(({ flag }: { flag: string }) => flag === key)
  expect(of('search')).toMatchObject({ state: 'rolled-back', override: 'down', weight: 0 })
  expect(of('banner')).toBeUndefined()
})
