// How long members stay signed in, from where, and who ends it.

import { limits } from '@telltale/core/limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../test/mailbox.ts'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { mailNewDevices } from './mail-new-devices.ts'

const minute = 60_000
const email = 'mara@pedal.example'
const password = 'seven green bottles'
const firefox = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

let mailbox: Mailbox
let telltale: Telltale
let owner: Credential

beforeEach(async () => {
  mailbox = await openMailbox()
  telltale = await startTelltale({
    settings: { TELLTALE_SMTP_URL: mailbox.url, TELLTALE_PUBLIC_URL: 'http://telltale.example.com' },
  })
  const answer = await telltale.request('POST', '/api/v1/setup', {
    headers: { 'user-agent': firefox(133) },
    body: { code: telltale.running.setupCode, owner: { name: 'Mara', email, password } },
  })
  expect(answer.status).toBe(201)
  owner = cookieOf(answer)
})
afterEach(async () => {
  await telltale[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
})

function cookieOf({ headers }: { headers: Headers }): Credential {
  return { headers: { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' } }
}
const account = async (as: Credential) => (await telltale.request('GET', '/api/v1/account', { as })).status
const signIn = async (userAgent: string) =>
  cookieOf(
    await telltale.request('POST', '/api/v1/sign-in', {
      headers: { 'user-agent': userAgent },
      body: { email, password },
    }),
  )
const setLifetimes = (body: object, as: Credential = owner) =>
  telltale.request('PATCH', '/api/v1/installation', { as, body })

test('an installation sets how long sessions last, and running ones end accordingly', async () => {
  for (const body of [
    { sessionIdleMinutes: limits.sessionIdleMinimum / minute - 1 },
    { sessionMaximumMinutes: limits.sessionMaximumMaximum / minute + 1 },
  ]) {
    expect((await setLifetimes(body)).status).toBe(400)
  }
  const member = await telltale.person()
  expect((await setLifetimes({ sessionIdleMinutes: 60 }, member)).status).toBe(403)

  telltale.passTime(30 * minute)
  expect(await account(owner)).toBe(200)
  const { body } = await setLifetimes({ sessionIdleMinutes: 20, sessionMaximumMinutes: 120 })
  expect(body).toMatchObject({ sessionIdleMinutes: 20, sessionMaximumMinutes: 120 })
  const { items } = (await telltale.request('GET', '/api/v1/account/sessions', { as: owner })).body
  expect(Date.parse(items[0].expiresAt) - Date.parse(items[0].createdAt)).toBe(120 * minute)

  telltale.passTime(19 * minute)
  expect(await account(owner)).toBe(200)
  telltale.passTime(21 * minute)
  expect(await account(owner)).toBe(401)

  // Used all the time, it still ends after two hours.
  const busy = await signIn(firefox(133))
  for (let used = 0; used < 7; used += 1) {
    telltale.passTime(17 * minute)
    expect(await account(busy)).toBe(200)
  }
  telltale.passTime(2 * minute)
  expect(await account(busy)).toBe(401)
})

test('sessions name their device and address, and all others end at once', async () => {
  const phone = await signIn(safari)
  await account(phone)
  const { items } = (await telltale.request('GET', '/api/v1/account/sessions', { as: owner })).body
  expect(items).toHaveLength(2)
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ device: 'Safari on iPhone', address: '127.0.0.1', current: false }),
      expect.objectContaining({ device: 'Firefox on Windows', address: '127.0.0.1', current: true }),
    ]),
  )
  const { body } = await telltale.request('DELETE', '/api/v1/account/sessions', { as: owner })
  expect(body).toEqual({ ended: 1 })
  expect([await account(phone), await account(owner)]).toEqual([401, 200])
})

test('owners list and end the sessions of any user, others do not', async () => {
  const member: SomePerson = await telltale.person()
  const path = `/api/v1/users/${member.id}/sessions`
  expect((await telltale.request('DELETE', path, { as: member })).status).toBe(403)
  expect((await telltale.request('GET', path, { as: owner })).body.items).toHaveLength(1)
  expect((await telltale.request('DELETE', path, { as: owner })).body).toEqual({ ended: 1 })
  expect([await account(member), await account(owner)]).toEqual([401, 200])
})

test('a new device is mailed once; the first and a newer version of a known one are not', async () => {
  const { services } = telltale.running
  await signIn(firefox(134))
  await mailNewDevices(services)
  expect(mailbox.letters).toHaveLength(0)

  await account(await signIn(safari))
  await Promise.all([mailNewDevices(services), mailNewDevices(services)])
  await signIn(safari)
  await mailNewDevices(services)
  expect(mailbox.letters).toHaveLength(1)
  const [letter] = mailbox.letters
  expect(letter).toContain(`To: ${email}`)
  expect(letter).toContain('Safari on iPhone, address 127.0.0.1')
  expect(letter).toContain('http://telltale.example.com/account/sessions')
})
