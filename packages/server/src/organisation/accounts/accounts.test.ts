import { limits } from '@telltale/core/limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMailbox } from '../../../../../test/mailbox.ts'
import { type Answer, type Credential, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { loginSessions, users } from '../../platform/engines/postgres/account-schema.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'

let telltale: Telltale
beforeEach(async () => {
  telltale = await startTelltale()
})
afterEach(() => telltale[Symbol.asyncDispose]())

const password = 'seven green bottles'
const mara = { name: 'Mara', email: 'Mara@pedalandpost.example', password }

function setUp(owner: object = mara): Promise<Answer> {
  return telltale.request('POST', '/api/v1/setup', { body: { code: telltale.running.setupCode, owner } })
}

function signIn(email = mara.email, secret = password, headers = {}): Promise<Answer> {
  return telltale.request('POST', '/api/v1/sign-in', { body: { email, password: secret }, headers })
}

function cookieOf(answer: Answer): Credential {
  const [cookie] = answer.headers.getSetCookie()
  return { headers: { cookie: cookie?.split(';', 1)[0] ?? '' } }
}

const account = (as: Credential) => telltale.request('GET', '/api/v1/account', { as })

describe('the first run', () => {
  test('creates the owner with a first project, signs them in, and works once', async () => {
    expect((await telltale.request('GET', '/api/v1/setup')).body).toEqual({
      done: false,
      asksForPublicUrl: true,
    })

    const answer = await telltale.request('POST', '/api/v1/setup', {
      body: { code: telltale.running.setupCode, owner: mara, project: { key: 'shop', name: 'Shop' } },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.user).toMatchObject({ email: mara.email, role: 'owner' })
    expect((await account(cookieOf(answer))).body.projects).toMatchObject([
      { key: 'shop', name: 'Shop', role: 'admin', own: false },
    ])

    expect((await telltale.request('GET', '/api/v1/setup')).body).toMatchObject({ done: true })
    expect((await setUp()).body).toMatchObject({ status: 409, type: '/errors/already-exists' })
  })

  test('requires the printed code', async () => {
    const answer = await telltale.request('POST', '/api/v1/setup', { body: { code: 'guess', owner: mara } })
    expect(answer.body).toMatchObject({ status: 403 })
    expect(await telltale.running.services.db.$count(users)).toBe(0)
  })

  test('twice concurrently creates one owner', async () => {
    const answers = await Promise.all([setUp(), setUp({ ...mara, email: 'second@example.com' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await telltale.running.services.db.$count(users)).toBe(1)
  })

  test('prints the same code after a restart, and none once there is an owner', async () => {
    const restarted = await startTelltale({ beside: telltale })
    expect(restarted.running.setupCode).toBe(telltale.running.setupCode)
    await restarted[Symbol.asyncDispose]()

    await setUp()
    const later = await startTelltale({ beside: telltale })
    expect(later.running.setupCode).toBeUndefined()
    await later[Symbol.asyncDispose]()
  })

  test('rejects weak passwords, at their field', async () => {
    for (const easy of [
      'short',
      '123456789012',
      'passwordpassword',
      'administrator',
      'Administrator1!',
      'qwertyuiopas',
      'Charlotte123',
    ]) {
      const answer = await setUp({ ...mara, email: 'charlotte@pedal.example', password: easy })
      expect(answer.status, easy).toBe(400)
      expect(answer.body.errors[0].pointer, easy).toBe('/owner/password')
    }
  })
})

describe('signing in', () => {
  beforeEach(async () => {
    await setUp()
  })

  test('accepts the address in any case and stores only hashes', async () => {
    const answer = await signIn('MARA@pedalandpost.EXAMPLE')
    expect(answer.status).toBe(200)
    const [cookie] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^telltale_session=\S+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/)

    const kept = JSON.stringify([
      await telltale.running.services.db.select().from(users),
      await telltale.running.services.db.select().from(loginSessions),
      await telltale.running.services.db.select().from(auditEntries),
    ])
    expect(kept).not.toContain(password)
    expect(kept).not.toContain(/=([^;]+)/.exec(cookie ?? '')?.[1])
    expect(kept).toContain('$argon2id$')
  })

  test('responds alike for a wrong password, an unknown address and a disabled account', async () => {
    const second = await telltale.person({ role: 'owner' })
    const [wrong, unknown] = [
      await signIn(mara.email, 'not the password'),
      await signIn('nobody@example.com'),
    ]
    const me = (await account(cookieOf(await signIn()))).body.user
    await telltale.request('PATCH', `/api/v1/users/${me.id}`, { as: second, body: { disabled: true } })
    const disabled = await signIn()

    for (const answer of [wrong, unknown, disabled]) {
      expect(answer.status).toBe(401)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(answer.body.detail).toBe(wrong.body.detail)
    }
  })

  test('is rejected after ten wrong guesses in a minute; right ones do not count', async () => {
    for (let attempt = 0; attempt < 12; attempt++) expect((await signIn()).status).toBe(200)
    for (let attempt = 0; attempt < limits.signInAttempts; attempt++) {
      expect((await signIn(mara.email, 'wrong')).status).toBe(401)
    }
    const refused = await signIn()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

    telltale.passTime(limits.rateWindow)
    expect((await signIn()).status).toBe(200)
  })

  test('out ends the session on the server too', async () => {
    const session = cookieOf(await signIn())
    const out = await telltale.request('POST', '/api/v1/sign-out', { as: session })
    expect(out.status).toBe(200)
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await account(session)).status).toBe(401)
  })
})

describe('a session', () => {
  let session: Credential
  beforeEach(async () => {
    session = cookieOf(await setUp())
  })

  test('rotates its cookie twice a day; the old one is valid for a minute, and ends the session later', async () => {
    telltale.passTime(limits.sessionRotation)
    const rotated = await account(session)
    const next = cookieOf(rotated)
    expect(rotated.status).toBe(200)
    expect(next.headers.cookie).not.toBe(session.headers.cookie)
    expect((await account(session)).status).toBe(200)
    expect((await account(next)).status).toBe(200)

    telltale.passTime(limits.sessionRotationGrace + 1)
    expect((await account(session)).status).toBe(401)
    expect((await account(next)).status).toBe(401)
  })

  test('ends after two weeks without use', async () => {
    telltale.passTime(limits.sessionIdle + 1)
    expect((await account(session)).status).toBe(401)
  })

  test('ends after ninety days of any use', async () => {
    let current = session
    for (let week = 0; week < 13; week++) {
      telltale.passTime(limits.sessionMaximum / 13)
      const answer = await account(current)
      if (answer.headers.getSetCookie().length > 0) current = cookieOf(answer)
    }
    expect((await account(current)).status).toBe(401)
  })

  test('is listed and can be ended from another one', async () => {
    const elsewhere = cookieOf(await signIn())
    const { body } = await telltale.request('GET', '/api/v1/account/sessions', { as: session })
    expect(body.items).toHaveLength(2)
    const other = body.items.find((item: { current: boolean }) => !item.current)

    await telltale.request('DELETE', `/api/v1/account/sessions/${other.id}`, { as: session })
    expect((await account(elsewhere)).status).toBe(401)
    expect((await account(session)).status).toBe(200)

    const stranger = await telltale.person()
    const mine = body.items.find((item: { current: boolean }) => item.current)
    const answer = await telltale.request('DELETE', `/api/v1/account/sessions/${mine.id}`, { as: stranger })
    expect(answer.status).toBe(404)
  })

  test('of a browser can only write from the console', async () => {
    for (const [from, headers, status] of [
      ['a foreign page', { origin: 'https://evil.example' }, 403],
      ['a sandboxed page', { origin: 'null' }, 403],
      ['a foreign page that hides its origin', { 'sec-fetch-site': 'cross-site' }, 403],
      ['a page of a neighbouring host', { 'sec-fetch-site': 'same-site' }, 403],
      ['the console', { 'sec-fetch-site': 'same-origin' }, 200],
      ['a script', {}, 200],
    ] as const) {
      const answer = await telltale.request('PATCH', '/api/v1/account', {
        as: session,
        headers,
        body: { name: 'M' },
      })
      expect(answer.status, from).toBe(status)
      if (status === 403) expect(answer.body.type, from).toBe('/errors/origin-not-allowed')
    }
  })
})

describe('a password', () => {
  let session: Credential
  beforeEach(async () => {
    session = cookieOf(await setUp())
  })

  const change = (body: object) => telltale.request('PUT', '/api/v1/account/password', { as: session, body })

  test('is changed with the current one; every other session ends', async () => {
    const elsewhere = cookieOf(await signIn())
    expect((await change({ current: 'wrong', next: 'six green bottles' })).body.errors[0].pointer).toBe(
      '/current',
    )
    expect((await change({ current: password, next: '123412341234' })).body.errors[0].pointer).toBe('/next')
    expect((await signIn()).status).toBe(200)

    expect((await change({ current: password, next: 'six green bottles' })).status).toBe(204)
    expect((await account(session)).status).toBe(200)
    expect((await account(elsewhere)).status).toBe(401)
    expect((await signIn()).status).toBe(401)
    expect((await signIn(mara.email, 'six green bottles')).status).toBe(200)
  })

  test('is set with a link from an owner, once, within an hour', async () => {
    const person = await telltale.person()
    const issue = () => telltale.request('POST', `/api/v1/users/${person.id}/password-reset`, { as: session })
    const reset = (token: string) =>
      telltale.request('PUT', '/api/v1/password-reset', { body: { token, password: 'nine blue whales' } })
    const tokenOf = (answer: Answer) => new URL(answer.body.url).hash.slice(1)

    const first = tokenOf(await issue())
    const second = tokenOf(await issue())
    expect((await reset(first)).status).toBe(410)
    expect((await reset(second)).status).toBe(204)
    expect((await reset(second)).status).toBe(410)
    expect((await account(person)).status).toBe(401)
    expect((await signIn(person.email, 'nine blue whales')).status).toBe(200)

    const late = tokenOf(await issue())
    telltale.passTime(limits.passwordResetLifetime)
    expect((await reset(late)).status).toBe(410)
  })

  test('is set with a mailed link', async () => {
    await using mailbox = await openMailbox()
    await using mailing = await startTelltale({
      settings: { TELLTALE_SMTP_URL: mailbox.url, TELLTALE_PUBLIC_URL: 'http://telltale.example.com' },
    })
    const person = await mailing.person({ email: 'noor@example.com' })
    const ask = (email: string) => mailing.request('POST', '/api/v1/password-reset', { body: { email } })
    await ask('nobody@example.com')
    await ask('NOOR@example.com')

    await expect.poll(() => mailbox.letters.length, { timeout: 20_000 }).toBe(1)
    expect(mailbox.letters[0]).toContain('To: noor@example.com')
    const token = /password-reset#(\w+)/.exec(mailbox.letters[0] ?? '')
    const body = { token: token?.[1], password: 'nine blue whales' }
    expect((await mailing.request('PUT', '/api/v1/password-reset', { body })).status).toBe(204)
    const signedIn = await mailing.request('POST', '/api/v1/sign-in', {
      body: { email: person.email, password: 'nine blue whales' },
    })
    expect(signedIn.status).toBe(200)

    const { db } = mailing.running.services
    const { id: breakGlassOwner } = await mailing.person({ email: 'owner@example.com', role: 'owner' })
    await db.update(installation).set({ singleSignOnOnly: true, breakGlassOwner })
    await ask('noor@example.com')
    await ask('owner@example.com')
    await expect.poll(() => mailbox.letters.length, { timeout: 20_000 }).toBe(2)
    expect(mailbox.letters[1]).toContain('To: owner@example.com')
  })

  test('reset by mail has the same response for every address, and a limit', async () => {
    const ask = (email: string) => telltale.request('POST', '/api/v1/password-reset', { body: { email } })
    expect((await ask(mara.email)).body).toEqual((await ask('nobody@example.com')).body)
    for (let more = 2; more < limits.signInAttempts; more++) await ask(mara.email)
    expect((await ask(mara.email)).status).toBe(429)
  })
})

describe('an account', () => {
  test('changes its e-mail only with the password, and never to one in use', async () => {
    const session = cookieOf(await setUp())
    await telltale.person({ email: 'taken@example.com' })
    const update = (body: object) => telltale.request('PATCH', '/api/v1/account', { as: session, body })

    expect((await update({ email: 'new@example.com' })).body.errors[0].pointer).toBe('/password')
    expect((await update({ email: 'TAKEN@example.com', password })).body.type).toBe('/errors/already-exists')
    expect((await update({ email: 'new@example.com', password })).body.email).toBe('new@example.com')
    expect((await signIn('new@example.com')).status).toBe(200)
  })

  test('does not reveal the password: wrong ones are limited everywhere', async () => {
    const session = cookieOf(await setUp())
    const victim = await telltale.person({ email: 'victim@example.com' })
    const change = (email: string) =>
      telltale.request('PATCH', '/api/v1/account', { as: session, body: { email, password: 'a guess' } })
    for (let guess = 0; guess < limits.signInAttempts; guess++) {
      expect((await change(victim.email)).status).toBe(400)
    }
    expect((await change(victim.email)).status).toBe(429)

    const next = { current: 'a guess', next: 'eight green bottles' }
    const put = await telltale.request('PUT', '/api/v1/account/password', { as: session, body: next })
    expect(put.status).toBe(429)
    // Guesses count for the account of the session, not for the address in the body.
    expect((await signIn(victim.email, 'wrong')).status).toBe(401)
    expect((await signIn()).status).toBe(200)
  })
})
