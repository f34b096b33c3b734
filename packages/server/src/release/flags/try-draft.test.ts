import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const draft = { key: 'checkout', name: 'Checkout', valueType: 'boolean' }
  expect((await send('POST', '/api/v1/projects/shop/flags', draft)).status).toBe(201)
})

afterAll(() => telltale[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
const env = '/api/v1/projects/shop/environments/staging'
const half = (weight: number) => ({
  split: [
    { variation: 'off', weight: 100_000 - weight },
    { variation: 'on', weight },
  ],
})
const config = (weight: number, rules: object[] = []) => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules,
  fallthrough: half(weight),
})
const tryDraft = (targetingKey: string, draft: object, flags = ['checkout']) =>
  send('POST', `${env}/evaluate`, { context: { targetingKey }, flags, draft })
const people = Array.from({ length: 40 }, (_, index) => `person-${index}`)

test('a draft evaluates as after saving, and nothing is saved', async () => {
  expect((await send('PUT', `${env}/flags/checkout/config`, { ...config(60_000), version: 1 })).status).toBe(
    200,
  )
  const rule = {
    when: { match: 'all', of: [{ attribute: 'targetingKey', operator: 'equals', value: 'person-3' }] },
    serve: { variation: 'on' },
  }
  // Which users stay when the weight shrinks depends on the previous bucket ranges.
  const draft = config(20_000, [rule])
  const before = []
  for (const person of people) before.push((await tryDraft(person, draft)).body.items[0].variation)
  expect(before[3]).toBe('on')
  expect(new Set(before)).toEqual(new Set(['on', 'off']))
  expect((await send('GET', `${env}/flags/checkout/config`)).body).toMatchObject({ version: 2, rules: [] })

  expect((await send('PUT', `${env}/flags/checkout/config`, { ...draft, version: 2 })).status).toBe(200)
  const after = []
  for (const targetingKey of people) {
    const body = { context: { targetingKey }, flags: ['checkout'] }
    after.push((await send('POST', `${env}/evaluate`, body)).body.items[0].variation)
  }
  expect(after).toEqual(before)
})

test('an invalid draft is rejected like a save, and a draft is of one flag', async () => {
  const refused = await tryDraft('ada', {
    ...config(10_000),
    fallthrough: { split: half(10_000).split.slice(1) },
  })
  expect(refused.body).toMatchObject({
    type: '/errors/invalid-weights',
    errors: [{ pointer: '/fallthrough/split' }],
  })
  const two = await tryDraft('ada', config(10_000), ['checkout', 'other'])
  expect(two.body).toMatchObject({ type: '/errors/invalid-request', errors: [{ pointer: '/flags' }] })
  expect((await tryDraft('ada', config(10_000), ['other'])).status).toBe(404)
})
