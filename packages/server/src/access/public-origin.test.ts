import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../test/mailbox.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../test/start.ts'

let mailbox: Mailbox
let telltale: Telltale
let owner: SomePerson

beforeEach(async () => {
  mailbox = await openMailbox()
  telltale = await startTelltale({
    settings: { TELLTALE_SMTP_URL: mailbox.url, TELLTALE_TRUSTED_PROXIES: '127.0.0.1' },
  })
  owner = await telltale.person({ role: 'owner', email: 'mara@pedalandpost.example' })
  await telltale.project('shop')
})
afterEach(async () => {
  await telltale[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
})

const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }

/** `fetch` always sets `Host`. */
function post(path: string, body: object, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const requested = httpRequest(telltale.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    })
    requested.on('response', (response) => resolve(text(response)))
    requested.on('error', reject)
    requested.end(JSON.stringify(body))
  })
}

/** All background work is done once the request is in the audit log. */
async function askForReset(headers = {}): Promise<string> {
  const before = (await auditOf('user.request-password-reset')).length
  const answer = await post('/api/v1/password-reset', { email: owner.email }, headers)
  await expect
    .poll(async () => (await auditOf('user.request-password-reset')).length, { timeout: 20_000 })
    .toBe(before + 1)
  return answer
}

async function auditOf(action: string): Promise<unknown[]> {
  const { body } = await telltale.request('GET', '/api/v1/audit?limit=200', { as: owner })
  return body.items.filter((entry: { action: string }) => entry.action === action)
}

const invite = (email: string) =>
  post('/api/v1/projects/shop/invitations', { email, role: 'viewer' }, { ...owner.headers, ...forged })

const setAddress = (publicUrl: string | null) =>
  telltale.request('PATCH', '/api/v1/installation', { as: owner, body: { publicUrl } })

test("without a public URL no link is mailed, whatever the request's host", async () => {
  expect(JSON.parse(await askForReset(forged))).toEqual({ mail: false })
  const invited = JSON.parse(await invite('ada@shop.example'))
  expect(invited.mailed).toBe(false)
  expect(await auditOf('user.issue-password-reset')).toEqual([])

  // E-mails are sent in order, so the permitted one comes first.
  await setAddress('https://telltale.example.com')
  await askForReset(forged)
  await expect.poll(() => mailbox.letters.length, { timeout: 20_000 }).toBe(1)
  expect(mailbox.letters[0]).toContain('https://telltale.example.com/password-reset#ttp_')
})

test('mailed links start with the URL configured by an owner', async () => {
  expect((await setAddress('https://telltale.example.com/')).body).toMatchObject({
    publicUrl: 'https://telltale.example.com',
  })
  expect(JSON.parse(await askForReset(forged))).toEqual({ mail: true })
  const invited = JSON.parse(await invite('ada@shop.example'))
  expect(invited.mailed).toBe(true)
  expect(invited.url).toMatch(/^https:\/\/telltale\.example\.com\/invite\/#/)

  await expect.poll(() => mailbox.letters.length, { timeout: 20_000 }).toBe(2)
  for (const letter of mailbox.letters) {
    expect(letter).toContain('https://telltale.example.com/')
    expect(letter).not.toContain('evil')
  }
  expect((await telltale.request('GET', '/api/v1/installation', { as: owner })).body).toMatchObject({
    publicUrl: 'https://telltale.example.com',
    publicUrlIsSetting: false,
  })
})

test('a URL is an origin, and the setting takes precedence', async () => {
  for (const wrong of [
    'evil.example',
    'ftp://a.example',
    'https://a.example/x',
    'https://u:p@a.example',
    ' ',
  ]) {
    const refused = await setAddress(wrong)
    expect(refused.status, wrong).toBe(400)
    expect(refused.body.errors[0].pointer).toBe('/publicUrl')
  }
  await using fixed = await startTelltale({ settings: { TELLTALE_PUBLIC_URL: 'http://fixed.example' } })
  const boss = await fixed.person({ role: 'owner' })
  const body = { publicUrl: 'https://other.example' }
  expect((await fixed.request('PATCH', '/api/v1/installation', { as: boss, body })).body.type).toBe(
    '/errors/managed',
  )
})

test('setup accepts the URL', async () => {
  await using fresh = await startTelltale()
  const body = {
    code: fresh.running.setupCode,
    owner: { name: 'Mara', email: 'mara@pedalandpost.example', password: 'seven green bottles' },
    publicUrl: 'https://telltale.example.com',
  }
  expect((await fresh.request('POST', '/api/v1/setup', { body })).status).toBe(201)
  const boss = await fresh.person({ role: 'owner' })
  const { body: facts } = await fresh.request('GET', '/api/v1/installation', { as: boss })
  expect(facts.publicUrl).toBe('https://telltale.example.com')
})
