import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let editor: SomePerson
let other: SomePerson
let viewer: SomePerson

const list = '/api/v1/projects/shop/saved-views'
const draft = {
  screen: 'sessions',
  name: 'Slow checkouts',
  search: 'q=lcp%3A%3E4000&sort=lcp',
  shared: false,
}

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  editor = await telltale.person({ in: { shop: 'editor' } })
  other = await telltale.person({ in: { shop: 'editor' } })
  viewer = await telltale.person({ in: { shop: 'viewer' } })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const by = (as: Credential) => (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })
const save = async (as: Credential, more: object = {}) => {
  const { status, body } = await by(as)('POST', list, { ...draft, ...more })
  expect(status).toBe(201)
  return `${list}/${body.id}`
}
const seenBy = async (as: Credential): Promise<{ name: string; isDefault: boolean; isPinned: boolean }[]> =>
  (await by(as)('GET', list)).body.items

test('a personal view is visible to its owner alone, also a viewer', async () => {
  const path = await save(viewer, { name: 'Of a viewer' })
  expect((await seenBy(viewer)).map(({ name }) => name)).toEqual(['Of a viewer'])
  expect(await seenBy(editor)).toEqual([])
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { name: 'x' } : undefined
    expect((await by(editor)(method, path, body)).status).toBe(404)
  }
  expect((await by(viewer)('PATCH', path, { shared: true })).status).toBe(403)
  expect((await by(viewer)('DELETE', path)).status).toBe(204)
})

test('a shared view is changed and deleted by any editor, and by no viewer', async () => {
  expect((await by(viewer)('POST', list, { ...draft, shared: true })).status).toBe(403)
  const path = await save(editor, { name: 'Ours', shared: true })
  expect((await seenBy(viewer)).map(({ name }) => name)).toEqual(['Ours'])
  expect((await by(viewer)('PATCH', path, { name: 'x' })).status).toBe(403)
  expect((await by(viewer)('DELETE', path)).status).toBe(403)
  expect((await by(other)('PATCH', path, { name: 'Renamed' })).body.name).toBe('Renamed')

  // It belongs to the member who made it personal.
  expect((await by(other)('PATCH', path, { shared: false })).body.owner.id).toBe(other.id)
  expect(await seenBy(editor)).toEqual([])
  expect((await by(other)('DELETE', path)).status).toBe(204)
})

test('one view of a screen is the default of a person, and marks concern no one else', async () => {
  const first = await save(editor, { name: 'A', shared: true })
  const second = await save(editor, { name: 'B', shared: true })
  // Two switches, one after the other.
  await by(editor)('PATCH', `${first}/marks`, { isDefault: true })
  await by(editor)('PATCH', `${first}/marks`, { isPinned: true })
  expect((await seenBy(editor))[0]).toMatchObject({ isDefault: true, isPinned: true })
  await by(editor)('PATCH', `${second}/marks`, { isDefault: true, isPinned: false })
  expect(await seenBy(editor)).toMatchObject([
    { name: 'A', isDefault: false, isPinned: true },
    { name: 'B', isDefault: true, isPinned: false },
  ])
  expect(await seenBy(viewer)).toMatchObject([
    { isDefault: false, isPinned: false },
    { isDefault: false, isPinned: false },
  ])
  expect((await by(viewer)('PATCH', `${first}/marks`, { isDefault: true, isPinned: true })).status).toBe(200)
})

test('what is no part of an address is refused', async () => {
  for (const search of ['?q=x', 'q=x#y', 'q=x y', `q=${'x'.repeat(4_000)}`]) {
    expect((await by(editor)('POST', list, { ...draft, search })).status).toBe(400)
  }
  expect((await by(editor)('POST', list, { ...draft, screen: 'admin' })).status).toBe(400)
})

test('a view keeps nothing of the environment, and marks of others end when it becomes personal', async () => {
  const path = await save(editor, { name: 'C', shared: true, search: 'sort=lcp&peek=x&env=staging&q=a' })
  const read = async () => (await seenBy(editor)).find(({ name }) => name === 'C')
  expect(await read()).toMatchObject({ search: 'q=a&sort=lcp' })
  await by(viewer)('PATCH', `${path}/marks`, { isDefault: false, isPinned: true })
  await by(editor)('PATCH', path, { shared: false })
  expect((await by(viewer)('PATCH', `${path}/marks`, { isDefault: true, isPinned: true })).status).toBe(404)
  await by(editor)('PATCH', path, { shared: true })
  expect((await seenBy(viewer)).find(({ name }) => name === 'C')).toMatchObject({ isPinned: false })
})
