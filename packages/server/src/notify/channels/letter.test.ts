// E-mails through real mail servers: rejections are reported, without the password.

import type { Notice } from '@telltale/core/notices/notice'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { openMail } from '../../platform/http/mail.ts'
import { readConfig } from '../../platform/process/config.ts'
import { attempt } from './attempt.ts'
import type { ChannelRow, DeliveryRow } from './queries.ts'

const notice: Notice = {
  id: '01a20055-40cc-728a-a640-d22216ca6c49',
  event: 'alert.fired',
  at: '2026-11-21T22:58:36.861Z',
  project: 'shop',
  environment: 'production',
  actor: { kind: 'system', id: null, name: 'alerts' },
  entity: { kind: 'alert', id: '01a2', name: 'Slow' },
  summary: 'Slow\r\nBcc: everybody@example.com fires',
  path: '/p/shop/alerts/01a2',
  reason: null,
  changes: [],
  changesOmitted: false,
  data: {},
}

async function sendOver(
  options: SMTPServerOptions,
  url: (port: number) => string,
  delivery: string = notice.id,
) {
  const letters: string[] = []
  const server = new SMTPServer({
    onData: (stream, _session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        letters.push(Buffer.concat(parts).toString('utf8'))
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mail server has no port')
  const config = readConfig([], {
    TELLTALE_SMTP_URL: url(address.port),
    TELLTALE_MAIL_FROM: 'Telltale <telltale@shop.example>',
  })
  const mail = openMail(config)
  try {
    const addresses = ['team@example.com', 'gone@example.com']
    const outcome = await attempt({ config, mail, clock: () => new Date() }, addressed(addresses, delivery))
    return { letters, outcome }
  } finally {
    mail.close()
    await new Promise<void>((resolve) => server.close(resolve))
  }
}

function addressed(addresses: string[], delivery: string): { channel: ChannelRow; delivery: DeliveryRow } {
  const at = new Date()
  const id = notice.id
  return {
    channel: {
      id,
      projectId: id,
      kind: 'email',
      name: 'Team',
      url: null,
      addresses,
      secret: null,
      events: [],
      environments: [],
      enabled: true,
      disabledAsFailing: false,
      failingSince: null,
      version: 1,
      lastDeliveredAt: null,
      lastFailure: null,
      createdAt: at,
    },
    delivery: {
      id: delivery,
      channelId: id,
      noticeId: id,
      event: 'alert.fired',
      notice,
      state: 'waiting',
      tries: 1,
      nextAt: at,
      leasedUntil: null,
      createdAt: at,
      endedAt: null,
    },
  }
}

const plain = (port: number) => `smtp://127.0.0.1:${port}`
const withPassword = (port: number) => `smtp://mailer:s3cret-word@127.0.0.1:${port}`

test('a letter has one subject, whatever its content', async () => {
  const { outcome, letters } = await sendOver({ disabledCommands: ['AUTH', 'STARTTLS'] }, plain)
  expect(outcome).toEqual({ status: null, failure: null, answer: '' })
  const [head = ''] = letters[0]?.split('\r\n\r\n') ?? []
  expect(head).toContain('Subject: [shop] Slow Bcc: everybody@example.com fires')
  expect(head).not.toMatch(/^Bcc/m)
})

test("a letter that is sent again has the same id, with its sender's domain", async () => {
  const idOf = async (delivery: string) => {
    const options = { disabledCommands: ['AUTH', 'STARTTLS'] }
    const { letters } = await sendOver(options, plain, delivery)
    return letters[0]?.match(/^Message-ID: .*$/gm)
  }
  const [first, other] = ['01a20055-40cc-728a-a640-d22216ca6c50', '01a20055-40cc-728a-a640-d22216ca6c51']
  expect(await idOf(first)).toEqual([`Message-ID: <${first}@shop.example>`])
  expect(await idOf(first)).toEqual([`Message-ID: <${first}@shop.example>`])
  expect(await idOf(other)).toEqual([`Message-ID: <${other}@shop.example>`])
})

test('a rejected address among others is named', async () => {
  const { outcome } = await sendOver(
    {
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('gone') ? new Error('No such mailbox') : null),
    },
    plain,
  )
  expect(outcome).toEqual({ status: null, failure: null, answer: 'Not accepted for gone@example.com.' })
})

test('a wrong password is reported without it', async () => {
  const { outcome, letters } = await sendOver(
    {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('Invalid username or password')),
    },
    withPassword,
  )
  expect(outcome.failure).toContain('Invalid username or password')
  expect(outcome.failure).not.toContain('s3cret')
  expect(letters).toEqual([])
})

test('an untrusted certificate is rejected, unless the URL allows it', async () => {
  const refused = await sendOver({ disabledCommands: ['AUTH'] }, plain)
  expect(refused.outcome.failure).toMatch(/certificate/)
  expect(refused.letters).toEqual([])
  const taken = await sendOver(
    { disabledCommands: ['AUTH'] },
    (port) => `${plain(port)}/?tls.rejectUnauthorized=false`,
  )
  expect(taken.outcome.failure).toBeNull()
  expect(taken.letters).toHaveLength(1)
})

test('a password is never sent unencrypted if the URL requires encryption', async () => {
  let passwords = 0
  const { outcome } = await sendOver(
    {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        passwords += 1
        done(null, { user: 'mailer' })
      },
    },
    (port) => `${withPassword(port)}/?requireTLS=true`,
  )
  expect(outcome.failure).toBeTypeOf('string')
  expect(passwords).toBe(0)
})
