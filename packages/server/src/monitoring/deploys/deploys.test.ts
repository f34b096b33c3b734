// Deploys as a pipeline reports them, on the real database: once each, with the least role that may.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
const deploys = '/api/v1/projects/shop/environments/development/deploys'

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const at = '2026-03-01T12:00:00.000Z'
const day = 'from=2026-03-01T00:00:00.000Z&to=2026-03-02T00:00:00.000Z'
const report = (body: object) => telltale.request('POST', deploys, { as: owner, body })
const list = async (query: string) =>
  (await telltale.request('GET', `${deploys}?${query}`, { as: owner })).body.deploys

test('a deploy that is reported twice is one deploy; the first report stays', async () => {
  const commits = [{ id: 'abc123', message: 'Mend the cart', author: 'Ana' }]
  const first = await report({ version: '2.4.0', at, author: 'Ana', link: 'https://ci.example/7', commits })
  expect(first).toMatchObject({ status: 201, body: { version: '2.4.0', at, author: 'Ana', commits } })
  const again = await report({ version: '2.4.0', at, author: 'Ben' })
  expect(again).toMatchObject({ status: 201, body: { id: first.body.id, author: 'Ana' } })
  await report({ version: '2.4.0', at: '2026-03-01T13:00:00.000Z' })
  await report({ version: '2.5.0', at: '2026-03-01T11:00:00.000Z' })
  expect((await list(day)).map(({ version }: { version: string }) => version)).toEqual([
    '2.5.0',
    '2.4.0',
    '2.4.0',
  ])
  expect(await list(`${day}&version=2.5.0`)).toHaveLength(1)
})

test('without a time it is now, and outside of the period it is not listed', async () => {
  await report({ version: '2.6.0' })
  expect(await list('')).toMatchObject([{ version: '2.6.0', author: null, link: null, commits: [] }])
})

test('a viewer sees deploys but cannot report or delete them; an editor can', async () => {
  const [first] = await list(day)
  const viewer = await telltale.person({ in: { shop: 'viewer' } })
  const editor = await telltale.person({ in: { shop: 'editor' } })
  const body = { version: '3.0.0', at }
  expect((await telltale.request('GET', `${deploys}?${day}`, { as: viewer })).status).toBe(200)
  expect((await telltale.request('POST', deploys, { as: viewer, body })).status).toBe(403)
  expect((await telltale.request('DELETE', `${deploys}/${first.id}`, { as: viewer })).status).toBe(403)
  expect((await telltale.request('POST', deploys, { as: editor, body })).status).toBe(201)
  expect((await telltale.request('DELETE', `${deploys}/${first.id}`, { as: editor })).status).toBe(204)
  expect((await telltale.request('DELETE', `${deploys}/${first.id}`, { as: editor })).status).toBe(404)
})

test('what is no deploy is refused', async () => {
  for (const body of [
    {},
    { version: '' },
    { version: 'x'.repeat(201) },
    { version: 'a\u0000b' },
    { version: '1', link: 'javascript:alert(1)' },
    { version: '1', at: 'yesterday' },
    { version: '1', commits: Array.from({ length: 101 }, () => ({ id: 'a', message: 'b' })) },
    { version: '1', commits: [{ id: 'a', message: 'b', more: 1 }] },
  ])
    expect((await report(body)).status).toBe(400)
})
