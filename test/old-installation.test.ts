// An installation made before the server was divided into modules: a project with rollouts, an A/A test, alerts and
// what members decided. Whatever is renamed since, it opens and shows the same.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { restoreBackup } from '../packages/server/src/platform/backups/restore-backup.ts'
import { openPostgres } from '../packages/server/src/platform/engines/postgres/open.ts'
import { createDatabase } from './postgres.ts'
import { type SomePerson, startTelltale, type Telltale } from './start.ts'

const backup = join(import.meta.dirname, 'old-installation/before-modules.backup.gz')
const project = '/api/v1/projects/storefront'

interface Named {
  name: string
}

let telltale: Telltale
let owner: SomePerson
let dropDatabase: () => Promise<void>

beforeAll(async () => {
  const { target, drop } = await createDatabase(inject('postgres'), 'template0')
  dropDatabase = drop
  const controlPlane = openPostgres(target)
  await restoreBackup(controlPlane.sql, backup)
  await controlPlane.close()
  telltale = await startTelltale({ over: target })
  owner = await telltale.person({ role: 'owner' })
})

afterAll(async () => {
  await telltale[Symbol.asyncDispose]()
  await dropDatabase()
})

async function read(path: string) {
  const answer = await telltale.request('GET', project + path, { as: owner })
  expect(answer.status, path).toBe(200)
  return answer.body
}

test('flags keep their variations and what is served', async () => {
  const { items } = await read('/flags?limit=100')
  const keys: string[] = items.map(({ key }: { key: string }) => key)
  expect(keys).toEqual(expect.arrayContaining(['checkout-v2', 'hybrid-search', 'quick-view', 'sticky-cart']))
  const { items: segments } = await read('/segments')
  expect(segments.map(({ key }: { key: string }) => key)).toEqual(['club-members', 'home-markets', 'phones'])
  const served = await read('/environments/production/flags/sticky-cart/served')
  expect(JSON.stringify(served)).toContain('50000')
})

test('rollouts keep their states, stages and decisions', async () => {
  const { items } = await read('/rollouts')
  const found = items.map((rollout: Record<string, unknown>) => [
    rollout.flag,
    rollout.state,
    rollout.stage,
    (rollout.stages as { weight: number }[]).map(({ weight }) => weight),
  ])
  expect(found).toEqual([
    ['sticky-cart', 'running', 1, [25_000, 50_000, 100_000]],
    ['quick-view', 'rolled-back', 0, [20_000, 50_000, 100_000]],
    ['delivery-estimate', 'completed', 2, [25_000, 50_000, 100_000]],
  ])
  const rolledBack = items.find(({ flag }: { flag: string }) => flag === 'quick-view')
  const { items: decisions } = await read(`/rollouts/${rolledBack.id}/decisions`)
  expect(decisions).toMatchObject([
    { turn: 2, action: 'roll-back', reason: 'regressed', metric: 'users-with-an-error' },
    { turn: 1, action: 'start', reason: 'started' },
  ])
  expect(decisions[0].findings[0].harm.estimate).toBeCloseTo(6.1667, 4)
})

test('the A/A test of an environment keeps its rounds and alarms', async () => {
  expect(await read('/environments/production/aa-test')).toMatchObject({
    on: true,
    since: '2026-11-10T12:00:00.000Z',
    rate: { rounds: 1, alarmed: 1 },
    present: { round: 2, alarms: [] },
    past: [{ round: 1, alarms: [{ metric: 'inp', chance: 0.011, difference: { upper: 0.21 } }] }],
  })
})

test('alerts and channels keep their rules, states and recipients', async () => {
  const { items } = await read('/alerts')
  const byName = items.toSorted((a: Named, b: Named) => a.name.localeCompare(b.name))
  expect(byName).toMatchObject([
    {
      name: 'Errors pile up',
      rule: { kind: 'measure', window: '1h', condition: { is: 'above', value: 20 } },
    },
    { name: 'Pages come slowly', mutedUntil: '2026-11-27T15:32:55.278Z' },
    { name: 'What the guard decides', rule: { kind: 'events', events: ['guard.decided'] } },
  ])
  for (const alert of items) expect(alert.channels).toMatchObject([{ kind: 'slack', name: '#web-releases' }])
})

test('users need no signature in environments from before there were any', async () => {
  const signedUsers = await read('/environments/production/signed-users')
  expect(signedUsers).toEqual({ mode: 'off', secrets: [], days: [], latest: null })
})
