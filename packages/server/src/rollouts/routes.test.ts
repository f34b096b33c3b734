import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../test/start.ts'
import { findRunning } from './queries.ts'

let telltale: Telltale
let ada: SomePerson
let grace: SomePerson
const project = '/api/v1/projects/shop'
const minute = 60_000

beforeAll(async () => {
  telltale = await startTelltale()
  ada = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  grace = await telltale.person({ in: { shop: 'editor' } })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const askAs = (as: SomePerson) => (method: string, path: string, body?: unknown) =>
  telltale.request(method, project + path, { as, body })
const ask: ReturnType<typeof askAs> = (...asked) => askAs(ada)(...asked)

const stage = (weight: number) => ({ weight, minDuration: minute, minUnits: 100, needsApproval: false })

async function flag(key: string, env = 'development') {
  await ask('POST', '/flags', { key, name: key, valueType: 'boolean', clientVisible: true })
  const at = `/environments/${env}/flags/${key}`
  const { body } = await ask('GET', `${at}/config`)
  const { version, salt: _salt, savedAt: _savedAt, ...config } = body
  const saved = await ask('PUT', `${at}/config`, {
    ...config,
    enabled: true,
    fallthrough: { variation: 'off' },
    version,
  })
  expect(saved.status).toBe(200)
  return at
}

test('a rollout is drafted, started, rolled back; start and roll-back are versions', async () => {
  const at = await flag('checkout')
  const made = await ask('POST', `${at}/rollouts`, {
    treatment: 'on',
    stages: [stage(10_000), stage(50_000), stage(100_000)],
  })
  expect(made).toMatchObject({ status: 201, body: { state: 'draft', control: 'off', turn: 0, weight: 0 } })
  const url = `/rollouts/${made.body.id}`
  const started = await ask('POST', `${url}/start`, { turn: 0 })
  expect(started).toMatchObject({ status: 200, body: { state: 'running', weight: 10_000, turn: 1 } })
  const config = await ask('GET', `${at}/config`)
  expect(config.body).toMatchObject({
    version: 3,
    fallthrough: {
      split: {
        arms: [
          { variation: 'off', weight: 90_000 },
          { variation: 'on', weight: 10_000 },
        ],
      },
    },
  })
  expect(await findRunning(telltale.running.services.db)).toHaveLength(1)

  const back = await askAs(grace)('POST', `${url}/roll-back`, { turn: 0 })
  expect(back).toMatchObject({ status: 200, body: { state: 'rolled-back', weight: 0, why: 'a-person' } })
  expect((await ask('GET', `${at}/config`)).body).toMatchObject({ version: 4 })
  const log = await ask('GET', `${url}/decisions`)
  expect(log.body.items.map(({ action }: { action: string }) => action)).toEqual(['roll-back', 'start'])
})
