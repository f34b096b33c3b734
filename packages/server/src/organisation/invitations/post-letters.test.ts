import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../test/mailbox.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let mailbox: Mailbox
let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  mailbox = await openMailbox()
  telltale = await startTelltale({
    settings: {
      TELLTALE_SMTP_URL: mailbox.url,
      TELLTALE_PUBLIC_URL: 'http://telltale.example.com',
    },
  })
  owner = await telltale.person({ role: 'owner' })
})

afterAll(async () => {
  await telltale[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
})

const path = '/api/v1/projects/shop/invitations'

test('an invitation is mailed once, however often the request is repeated', async () => {
  const draft = { key: 'shop', name: 'Pedal & Post' }
  await telltale.request('POST', '/api/v1/projects', { as: owner, body: draft })
  const request = {
    as: owner,
    body: { email: 'ada@shop.example', role: 'editor' },
    headers: { 'idempotency-key': 'ada' },
  }
  const first = await telltale.request('POST', path, request)
  const second = await telltale.request('POST', path, request)

  expect(first.body.mailed).toBe(true)
  expect(second.body).toEqual(first.body)
  expect(first.body.url).toMatch(/^http:\/\/telltale\.example\.com\/invite\/#tti_/)
  await expect.poll(() => mailbox.letters.length).toBe(1)
  expect(mailbox.letters[0]).toContain('To: ada@shop.example')
  expect(mailbox.letters[0]).toContain('Subject: Join Pedal & Post on Telltale')
  expect(mailbox.letters[0]).toContain(first.body.url)
})

test('a rejected invitation sends nothing', async () => {
  const sent = mailbox.letters.length
  const body = { email: 'ada@shop.example', role: 'editor' }
  expect((await telltale.request('POST', path, { as: owner, body })).status).toBe(409)

  const other = await telltale.request('POST', path, {
    as: owner,
    body: { ...body, email: 'bo@shop.example' },
  })
  await expect.poll(() => mailbox.letters.at(-1)).toContain(other.body.url)
  expect(mailbox.letters).toHaveLength(sent + 1)
})
