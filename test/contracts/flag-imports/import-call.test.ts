// The call: a dry run changes nothing, an import is all or nothing, and repeating it keeps everything.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../start.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const importOf = (body: object, env = 'production') =>
  telltale.request('POST', `/api/v1/projects/shop/environments/${env}/import`, { as: owner, body })

const flagsOf = async () =>
  (await telltale.request('GET', '/api/v1/projects/shop/flags', { as: owner })).body.items

const evaluate = async (context: object) => {
  const path = '/api/v1/projects/shop/environments/production/evaluate'
  const { body } = await telltale.request('POST', path, { as: owner, body: { context } })
  return Object.fromEntries(
    body.items.map(({ flag, variation }: { flag: string; variation: string }) => [flag, variation]),
  )
}

const constraint = { contextName: 'plan', operator: 'IN', values: ['pro'] }
const document = (value: string) => ({
  features: [
    {
      name: 'child',
      enabled: true,
      strategies: [{ name: 'default' }],
      dependencies: [{ feature: 'parent' }],
    },
    { name: 'parent', enabled: true, strategies: [{ name: 'default', segments: [1] }] },
    {
      name: 'colour',
      enabled: true,
      strategies: [
        {
          name: 'default',
          constraints: [{ ...constraint, values: [value] }],
          variants: [{ name: value, weight: 1 }],
        },
      ],
    },
  ],
  segments: [{ id: 1, name: 'Pro users', constraints: [constraint] }],
})

test('a malformed document is refused with pointers, and changes nothing', async () => {
  const { status, body } = await importOf({
    source: 'unleash',
    document: {
      features: [
        { name: 'ok', enabled: true },
        { name: 7, enabled: 'yes' },
      ],
    },
  })
  expect(status).toBe(400)
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/document/features/1/name',
    '/document/features/1/enabled',
  ])
  for (const source of ['launchdarkly', 'growthbook', 'posthog']) {
    for (const wrong of [{ flags: 7, features: 7 }, 'text', null, [[]]]) {
      const refused = await importOf({ source, document: wrong })
      expect(refused.status, `${source} ${JSON.stringify(wrong)}`).toBe(400)
      expect(refused.body.errors[0].pointer).toMatch(/^\/document/)
    }
  }
  expect(await flagsOf()).toEqual([])
})

test('a dry run reports and changes nothing; the import does the same, and the next one keeps it', async () => {
  const preview = await importOf({ source: 'unleash', document: document('red'), dryRun: true })
  expect(preview.status, JSON.stringify(preview.body)).toBe(200)
  expect(await flagsOf()).toEqual([])

  const { status, body } = await importOf({ source: 'unleash', document: document('red') })
  expect(status, JSON.stringify(body)).toBe(200)
  expect({ ...body, dryRun: true }).toEqual(preview.body)
  expect(
    body.flags.map(({ action, outcome }: { action: string; outcome: string }) => [action, outcome]),
  ).toEqual([
    ['create', 'carried'],
    ['create', 'carried'],
    ['create', 'carried'],
  ])
  expect(await evaluate({ targetingKey: 'ann', plan: 'pro' })).toEqual({
    child: 'on',
    colour: 'disabled',
    parent: 'on',
  })
  expect(await evaluate({ targetingKey: 'ann', plan: 'red' })).toEqual({
    child: 'off',
    colour: 'red',
    parent: 'off',
  })

  const again = await importOf({ source: 'unleash', document: document('red') })
  const actions = [...again.body.flags, ...again.body.segments].map(
    ({ action }: { action: string }) => action,
  )
  expect(actions).toEqual(['keep', 'keep', 'keep', 'keep'])
})

test('another environment adds its variations, and variations that nothing serves go', async () => {
  await importOf({ source: 'unleash', document: document('blue') }, 'staging')
  await importOf({ source: 'unleash', document: document('green') })
  const colour = (await flagsOf()).find(({ key }: { key: string }) => key === 'colour')
  const keys = colour.variations.map(({ key }: { key: string }) => key)
  expect(keys.toSorted()).toEqual(['blue', 'disabled', 'green'])
})

test('a flag of another type refuses the whole import', async () => {
  const before = await flagsOf()
  const { status, body } = await importOf({
    source: 'growthbook',
    document: { features: { fresh: { defaultValue: true }, parent: { defaultValue: 'text' } } },
  })
  expect(status).toBe(400)
  expect(body.errors[0].message).toContain('parent')
  expect(await flagsOf()).toEqual(before)
})

test('where approval is required, flags wait as change requests', async () => {
  const path = '/api/v1/projects/shop/environments/production'
  const { status } = await telltale.request('PATCH', path, { as: owner, body: { approvalRequired: true } })
  expect(status).toBe(200)
  const { body } = await importOf({
    source: 'growthbook',
    document: { features: { waits: { defaultValue: true } } },
  })
  expect(body.flags).toEqual([expect.objectContaining({ key: 'waits', action: 'create', proposed: true })])
  expect(await evaluate({ targetingKey: 'ann' })).toMatchObject({ waits: 'off' })
})
