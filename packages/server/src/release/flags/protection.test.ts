import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let maintainer: SomePerson
let editor: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  editor = await telltale.person({ in: { shop: 'editor' } })
})

afterAll(() => telltale[Symbol.asyncDispose]())

const project = '/api/v1/projects/shop'
const by = (as: Credential) => (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })

const values = (a: string, b: string, c = 'third') => [
  { key: 'a', value: a },
  { key: 'b', value: b },
  { key: 'c', value: c },
]

async function createFlag(key: string) {
  const draft = { key, name: key, valueType: 'string', variations: values('first', 'second') }
  expect((await by(editor)('POST', `${project}/flags`, draft)).status).toBe(201)
}

async function save(flag: string, config: { version: number; enabled: boolean; rules?: object[] }) {
  const path = `${project}/environments/production/flags/${flag}/config`
  const body = {
    offVariation: 'a',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'b' },
    ...config,
  }
  expect((await by(maintainer)('PUT', path, body)).status).toBe(200)
}

const change = (as: Credential, flag: string, body: object) =>
  by(as)('PATCH', `${project}/flags/${flag}`, body)
const act = (as: Credential, flag: string, action: string) =>
  by(as)('POST', `${project}/flags/${flag}/${action}`)

test('editors change a flag that production does not serve yet', async () => {
  await createFlag('young')
  expect((await change(editor, 'young', { variations: values('1', '2') })).status).toBe(200)
  expect((await act(editor, 'young', 'archive')).status).toBe(200)
  expect((await act(editor, 'young', 'restore')).status).toBe(200)
})

test('only maintainers change what production serves, in any way', async () => {
  await createFlag('live')
  await save('live', { version: 1, enabled: true })
  for (const body of [{ variations: values('first', 'other') }, { clientVisible: true }]) {
    const refused = await change(editor, 'live', body)
    expect(refused.status).toBe(403)
    expect(refused.body.permission).toBe('flags.change-protected')
    expect(refused.body.detail).toContain('"production"')
    expect((await change(maintainer, 'live', body)).status).toBe(200)
  }
  expect((await act(editor, 'live', 'archive')).status).toBe(403)
  expect((await act(maintainer, 'live', 'archive')).status).toBe(200)
  expect((await act(editor, 'live', 'restore')).status).toBe(403)
  expect((await act(maintainer, 'live', 'restore')).status).toBe(200)
})

test('editors change names, tags and new variations', async () => {
  await createFlag('described')
  await save('described', { version: 1, enabled: true })
  const more = [...values('first', 'second'), { key: 'd', value: 'fourth' }]
  const body = { name: 'Described', tags: ['team-a'], variations: more }
  expect((await change(editor, 'described', body)).status).toBe(200)
})

test('for a disabled flag, production serves the off variation', async () => {
  await createFlag('stopped')
  await save('stopped', { version: 1, enabled: true })
  await save('stopped', { version: 2, enabled: false })
  expect((await change(editor, 'stopped', { variations: values('other', 'second') })).status).toBe(403)
  expect((await change(editor, 'stopped', { variations: values('first', 'other') })).status).toBe(200)
})

test('only maintainers change a segment used in production', async () => {
  const conditions = (value: string) => ({
    match: 'all',
    of: [{ attribute: 'plan', operator: 'equals', value }],
  })
  const draft = { key: 'payers', name: 'Payers', when: conditions('pro') }
  expect((await by(editor)('POST', `${project}/segments`, draft)).status).toBe(201)
  const segment = `${project}/segments/payers`
  expect((await by(editor)('PATCH', segment, { when: conditions('team') })).status).toBe(200)

  await createFlag('segmented')
  const rule = {
    when: {
      match: 'all',
      of: [{ match: 'any', of: [{ operator: 'in-segment', segment: 'payers' }] }],
    },
    serve: { variation: 'c' },
  }
  await save('segmented', { version: 1, enabled: false, rules: [rule] })
  expect((await by(editor)('PATCH', segment, { when: conditions('pro') })).status).toBe(200)

  await save('segmented', { version: 2, enabled: true, rules: [rule] })
  const refused = await by(editor)('PATCH', segment, { when: conditions('all') })
  expect(refused.status).toBe(403)
  expect(refused.body.detail).toContain('"segmented" serves in "production"')
  expect((await by(editor)('PATCH', segment, { name: 'Who pays' })).status).toBe(200)
  expect((await by(maintainer)('PATCH', segment, { when: conditions('all') })).status).toBe(200)
})

test('only maintainers set and remove overrides in a protected environment', async () => {
  await createFlag('overridden')
  const path = `${project}/environments/production/flags/overridden/overrides/ada`
  expect((await by(editor)('PUT', path, { variation: 'c' })).status).toBe(403)
  expect((await by(maintainer)('PUT', path, { variation: 'c' })).status).toBe(200)
  expect((await by(editor)('DELETE', path)).status).toBe(403)
})
