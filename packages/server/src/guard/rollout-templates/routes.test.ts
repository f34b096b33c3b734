import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const hour = 3_600_000
const stage = (weight: number, needsApproval = false) => ({
  ...{ weight, minDuration: hour, minUnits: 100, needsApproval },
})
const required = { metric: 'orders', limit: 0.02, role: 'required', onRegression: 'roll-back' }
const careful = {
  key: 'careful',
  name: 'Careful',
  stages: [stage(10_000), stage(100_000, true)],
  metrics: [required, { metric: 'lcp', limit: 0.1, role: 'watched', onRegression: 'notify' }],
  alpha: 0.01,
  whenUndecided: 'revert',
}

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const orders = {
    key: 'orders',
    name: 'Orders',
    event: 'order',
    aggregation: 'proportion',
    better: 'higher',
  }
  await ask('POST', '/metrics', orders)
})
afterAll(() => telltale[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: unknown) =>
  telltale.request(method, `/api/v1/projects/shop${path}`, { as: owner, body })
const askFrom = (version: number, body: unknown) =>
  telltale.request('PATCH', '/api/v1/projects/shop/rollout-templates/careful', {
    ...{ as: owner, body },
    headers: { 'if-match': `"${version}"` },
  })

test('a template is created, changed from its version and deleted; each is in the audit log', async () => {
  const created = await ask('POST', '/rollout-templates', careful)
  expect(created).toMatchObject({ status: 201, body: { ...careful, freshDraw: false, version: 1 } })
  expect((await ask('POST', '/rollout-templates', careful)).body.type).toBe('/errors/already-exists')
  const renamed = await askFrom(1, { name: 'Slow' })
  expect(renamed.body).toMatchObject({ ...careful, name: 'Slow', version: 2 })
  const late = await askFrom(1, { name: 'Late' })
  expect(late).toMatchObject({ status: 409, body: { current: { version: 2 } } })
  expect((await ask('GET', '/rollout-templates')).body.items).toEqual([renamed.body])

  expect((await ask('DELETE', '/rollout-templates/careful')).status).toBe(204)
  expect((await ask('GET', '/rollout-templates/careful')).status).toBe(404)
  const audit = await ask('GET', '/audit')
  const actions = audit.body.items.map(({ action }: { action: string }) => action)
  expect(actions.slice(0, 3)).toEqual([
    'rollout-template.delete',
    'rollout-template.update',
    'rollout-template.create',
  ])
})

test('every fault of a template is named', async () => {
  const metrics = [
    { ...required, limit: 1 },
    { ...required, metric: 'gone' },
  ]
  const refused = await ask('POST', '/rollout-templates', {
    ...careful,
    stages: [stage(50_000), stage(50_000)],
    metrics,
  })
  expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/stages/1/weight',
    '/metrics/0/limit',
    '/metrics/1/metric',
  ])
})

test('a rollout takes its plan from a template, in the share of both variations, and what it says itself wins', async () => {
  await ask('POST', '/rollout-templates', careful)
  const variations = ['off', 'on', 'other'].map((key) => ({ key, value: key }))
  await ask('POST', '/flags', { key: 'checkout', name: 'Checkout', valueType: 'string', variations })
  const at = '/environments/development/flags/checkout'
  const { body: config } = await ask('GET', `${at}/config`)
  const split = [
    { variation: 'off', weight: 40_000 },
    { variation: 'other', weight: 60_000 },
  ]
  const { salt: _salt, savedAt: _savedAt, ...saved } = config
  const fallthrough = { split, by: 'targetingKey' }
  expect((await ask('PUT', `${at}/config`, { ...saved, enabled: true, fallthrough })).status).toBe(200)
  const drafted = await ask('POST', `${at}/rollouts`, {
    ...{ treatment: 'on', control: 'off', template: 'careful', timeBox: 5 * hour },
  })
  expect(drafted).toMatchObject({
    status: 201,
    body: {
      stages: [
        { weight: 4_000, needsApproval: false },
        { weight: 40_000, needsApproval: true },
      ],
      ...{ metrics: careful.metrics, alpha: 0.01, whenUndecided: 'revert', timeBox: 5 * hour },
    },
  })
  const unknown = await ask('POST', `${at}/rollouts`, { treatment: 'on', template: 'hasty' })
  expect(unknown.body.errors).toEqual([
    { pointer: '/template', message: 'There is no rollout template "hasty".' },
  ])
})

test('a metric that a template uses is not deleted before the template lets it go', async () => {
  const refused = await ask('DELETE', '/metrics/orders')
  expect(refused.body).toMatchObject({
    type: '/errors/in-use',
    detail: 'Rollout templates use this metric: "careful". Remove it from them first.',
  })
  await ask('PATCH', '/rollout-templates/careful', { metrics: [careful.metrics[1]] })
  expect((await ask('DELETE', '/metrics/orders')).status).toBe(204)
})
