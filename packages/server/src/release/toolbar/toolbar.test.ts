import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
let clientKey: string

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  clientKey = await newKey('staging')
  for (const [key, clientVisible] of [
    ['checkout', true],
    ['secret', false],
  ] as const) {
    await send('/flags', { key, name: key, valueType: 'boolean', clientVisible })
  }
})

afterAll(() => telltale[Symbol.asyncDispose]())

const send = (path: string, body: object, as = owner) =>
  telltale.request('POST', `/api/v1/projects/shop${path}`, { as, body })

const newKey = async (env: string): Promise<string> =>
  (await send(`/environments/${env}/keys`, { kind: 'client' })).body.value

const link = (body: object, as = owner) => send('/environments/staging/toolbar-links', body, as)

async function tokenOf(body: object): Promise<string> {
  const { url } = (await link(body)).body
  return new URL(url).searchParams.get('telltale-toolbar') ?? ''
}

const open = (token: string, key = clientKey) =>
  telltale.request('POST', `/sdk/v1/toolbar?key=${key}`, { body: { token } })

const page = 'https://shop.example/cart?step=2#/pay'

test('a viewer makes a link, which keeps the address of the page and opens the toolbar of its environment', async () => {
  const viewer = await telltale.person({ in: { shop: 'viewer' } })
  const { status, body } = await link({ page }, viewer)
  expect(status).toBe(200)
  expect(body.url).toMatch(/^https:\/\/shop\.example\/cart\?step=2&telltale-toolbar=[\w.-]+#\/pay$/)

  const token = new URL(body.url).searchParams.get('telltale-toolbar') ?? ''
  expect(await open(token)).toMatchObject({
    status: 200,
    body: { project: 'shop', env: 'staging', console: telltale.url, expiresAt: Date.parse(body.expiresAt) },
  })
})

test('a token is refused when it was changed, is of another environment, or has expired', async () => {
  const token = await tokenOf({ page })
  const [content = '', seal = ''] = token.split('.')
  const grant = JSON.parse(Buffer.from(content, 'base64url').toString())
  const longer = Buffer.from(JSON.stringify({ ...grant, expiresAt: grant.expiresAt * 2 })).toString(
    'base64url',
  )
  const elsewhere = await newKey('production')
  for (const refused of [open(`${longer}.${seal}`), open(''), open('a.b.c'), open(token, elsewhere)]) {
    expect(await refused).toMatchObject({ status: 410, body: { type: '/errors/link-expired' } })
  }
  expect((await open(token, 'tt_stag_c_unknown')).status).toBe(401)
  telltale.passTime(limits.toolbarLinkLifetime)
  expect((await open(token)).status).toBe(410)
})

test('a link may force one variation of a flag that pages may read, and gives its value', async () => {
  const token = await tokenOf({ page, force: { flag: 'checkout', variation: 'on' } })
  expect((await open(token)).body.force).toEqual({ flag: 'checkout', variation: 'on', value: true })

  const hidden = await link({ page, force: { flag: 'secret', variation: 'on' } })
  expect(hidden).toMatchObject({ status: 400, body: { errors: [{ pointer: '/force/flag' }] } })
  const unknown = await link({ page, force: { flag: 'checkout', variation: 'never' } })
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ pointer: '/force/variation' }] } })
})

test('a link leads only to origins that the environment allows', async () => {
  await telltale.request('PATCH', '/api/v1/projects/shop/environments/staging', {
    as: owner,
    body: { allowedOrigins: ['https://shop.example'] },
  })
  expect((await link({ page })).status).toBe(200)
  const other = await link({ page: 'https://other.example/' })
  expect(other).toMatchObject({ status: 400, body: { errors: [{ pointer: '/page' }] } })
})
