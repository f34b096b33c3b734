import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../test/start.ts'

/** A mailbox that takes everything. */
const letters: string[] = []
const mailServer = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, done) {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      letters.push(Buffer.concat(parts).toString('utf8').replaceAll('=\r\n', ''))
      done()
    })
  },
})

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
  const address = mailServer.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mailbox has no port')
  telltale = await startTelltale({
    settings: {
      TELLTALE_SMTP_URL: `smtp://127.0.0.1:${address.port}`,
      TELLTALE_PUBLIC_URL: 'http://telltale.example.com',
    },
  })
  owner = await telltale.person({ role: 'owner' })
})

afterAll(async () => {
  await telltale[Symbol.asyncDispose]()
  await new Promise<void>((resolve) => mailServer.close(resolve))
})

const path = '/api/v1/projects/shop/invitations'

test('an invitation travels by mail, once however often the request is repeated', async () => {
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
  expect(first.body.url).toMatch(/^http:\/\/telltale\.example\.com\/invite\/tti_/)
  await expect.poll(() => letters.length).toBe(1)
  expect(letters[0]).toContain('To: ada@shop.example')
  expect(letters[0]).toContain('Subject: Join Pedal & Post on Telltale')
  expect(letters[0]).toContain(first.body.url)
})

test('an invitation that is refused sends nothing', async () => {
  const sent = letters.length
  const body = { email: 'ada@shop.example', role: 'editor' }
  expect((await telltale.request('POST', path, { as: owner, body })).status).toBe(409)

  const other = await telltale.request('POST', path, {
    as: owner,
    body: { ...body, email: 'bo@shop.example' },
  })
  await expect.poll(() => letters.at(-1)).toContain(other.body.url)
  expect(letters).toHaveLength(sent + 1)
})
