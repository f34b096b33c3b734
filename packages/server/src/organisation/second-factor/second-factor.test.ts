import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, type Credential, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: Credential
const password = 'seven green bottles'
const email = 'mara@pedalandpost.example'
let now: number

beforeEach(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_PUBLIC_URL: 'http://localhost' } })
  const body = { code: telltale.running.setupCode, owner: { name: 'Mara', email, password } }
  owner = cookieOf(await telltale.request('POST', '/api/v1/setup', { body }))
  now = Date.now()
})
afterEach(() => telltale[Symbol.asyncDispose]())

function cookieOf(answer: Answer): Credential {
  const [cookie] = answer.headers.getSetCookie()
  return { headers: { cookie: cookie?.split(';', 1)[0] ?? '' } }
}

function pass(span: number) {
  telltale.passTime(span)
  now += span
}

const signIn = () => telltale.request('POST', '/api/v1/sign-in', { body: { email, password } })
const prove = (token: string, proof: object) =>
  telltale.request('POST', '/api/v1/sign-in/proof', { body: { token, proof } })
const account = (as: Credential) => telltale.request('GET', '/api/v1/account', { as })
const change = (method: string, path: string, body?: object) =>
  telltale.request(method, `/api/v1/account${path}`, { as: owner, ...(body && { body }) })

const codeOf = (secret: string, at = now) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

async function addApp(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await change('POST', '/totp', { password })).body
  const confirmed = await change('PUT', '/totp', { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  pass(60_000)
  return { secret, recoveryCodes: confirmed.body.recoveryCodes }
}

test('an authenticator app is confirmed by a code, and then asked for at every sign-in', async () => {
  expect((await change('POST', '/totp', { password: 'wrong' })).body.errors).toMatchObject([
    { pointer: '/password' },
  ])
  const { secret, url } = (await change('POST', '/totp', { password })).body
  expect(url).toContain(`secret=${secret}`)
  expect((await signIn()).body.user).not.toBeNull()
  expect((await change('PUT', '/totp', { code: '000000' })).status).toBe(400)

  const other = cookieOf(await signIn())
  const { body } = await change('PUT', '/totp', { code: codeOf(secret) })
  expect(body.recoveryCodes).toHaveLength(limits.recoveryCodes)
  expect((await account(other)).status).toBe(401)
  expect((await account(owner)).status).toBe(200)
  expect((await change('GET', '/second-factor')).body).toMatchObject({
    ...{ totpSince: expect.any(String), passkeys: [], required: false, passkeysPossible: true },
    recoveryCodesLeft: limits.recoveryCodes,
  })

  const started = await signIn()
  expect(started.body).toMatchObject({ user: null, challenge: { methods: ['totp', 'recovery-code'] } })
  expect(started.headers.getSetCookie()).toEqual([])
  const { token } = started.body.challenge
  // The code that confirmed the app does not work again.
  expect((await prove(token, { totp: codeOf(secret) })).status).toBe(401)
  pass(30_000)
  const signed = await prove(token, { totp: codeOf(secret) })
  expect(signed.body.user).toMatchObject({ email, secondFactor: true })
  expect((await account(cookieOf(signed))).status).toBe(200)
  expect((await prove(token, { totp: codeOf(secret, now + 30_000) })).body.type).toBe('/errors/link-expired')
})

test('a code works once, also for two sign-ins at the same moment', async () => {
  const { secret } = await addApp()
  const tokens = [(await signIn()).body.challenge.token, (await signIn()).body.challenge.token]
  const answers = await Promise.all(tokens.map((token) => prove(token, { totp: codeOf(secret) })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('wrong codes are bounded per sign-in, and per account over all sign-ins', async () => {
  const { secret, recoveryCodes } = await addApp()
  const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')
  const statuses: number[] = []
  for (let time = 0; time < limits.codeAttempts / limits.challengeAttempts + 1; time++) {
    const { token } = (await signIn()).body.challenge
    for (let guess = 0; guess <= limits.challengeAttempts; guess++) {
      statuses.push((await prove(token, { totp: wrong })).status)
      pass(60_000 / limits.signInAttempts)
    }
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(limits.codeAttempts)
  const { token } = (await signIn()).body.challenge
  expect((await prove(token, { totp: codeOf(secret) })).status).toBe(429)
  expect((await prove(token, { recoveryCode: recoveryCodes[0] ?? '' })).status).toBe(200)
  pass(3_600_000)
  const later = (await signIn()).body.challenge.token
  expect((await prove(later, { totp: codeOf(secret) })).status).toBe(200)
})

test('a recovery code works once', async () => {
  const { recoveryCodes } = await addApp()
  const [code = ''] = recoveryCodes
  const first = (await signIn()).body.challenge.token
  expect((await prove(first, { recoveryCode: ` ${code.toUpperCase()} ` })).status).toBe(200)
  const second = (await signIn()).body.challenge.token
  expect((await prove(second, { recoveryCode: code })).status).toBe(401)
  expect((await prove(second, { recoveryCode: recoveryCodes[1] ?? '' })).status).toBe(200)
})

test('dangerous changes ask for the second factor again, after a while', async () => {
  const { secret } = await addApp()
  await telltale.project('shop')
  const key = () =>
    telltale.request('POST', '/api/v1/projects/shop/environments/production/keys', {
      ...{ as: owner, body: { kind: 'server' } },
    })
  expect((await key()).status).toBe(201)
  pass(limits.confirmationLifetime)
  expect((await key()).body.type).toBe('/errors/confirmation-required')
  expect((await change('DELETE', '/totp')).body.type).toBe('/errors/confirmation-required')
  const invitation = `/api/v1/projects/shop/invitations/${newId()}/renew`
  const renewed = await telltale.request('POST', invitation, { as: owner })
  expect(renewed.body.type).toBe('/errors/confirmation-required')

  const { token } = (await change('POST', '/confirmation')).body
  expect((await change('PUT', '/confirmation', { token, proof: { totp: '000000' } })).status).toBe(400)
  const proof = { totp: codeOf(secret) }
  expect((await change('PUT', '/confirmation', { token, proof })).status).toBe(204)
  expect((await key()).status).toBe(201)
  expect((await change('DELETE', '/totp')).status).toBe(204)
  expect((await signIn()).body.user).not.toBeNull()
})

test('where a second factor is required, an account without one can only add one', async () => {
  const require = (secondFactor: string) =>
    telltale.request('PATCH', '/api/v1/installation', { as: owner, body: { secondFactor } })
  expect((await require('everyone')).body).toMatchObject({ secondFactor: 'everyone' })
  expect((await account(owner)).body.secondFactorMissing).toBe(true)
  const refused = await telltale.request('GET', '/api/v1/users', { as: owner })
  expect(refused.body.type).toBe('/errors/second-factor-required')
  await addApp()
  expect((await telltale.request('GET', '/api/v1/users', { as: owner })).status).toBe(200)
  expect((await require('optional')).status).toBe(200)
})

test('a second factor can be required of those who administer a project, by whichever role', async () => {
  await telltale.project('shop')
  const require = (secondFactor: string) =>
    telltale.request('PATCH', '/api/v1/installation', { as: owner, body: { secondFactor } })
  const own = { key: 'keys', name: 'Keys', description: '', permissions: ['project.view', 'keys.manage'] }
  await telltale.request('POST', '/api/v1/projects/shop/roles', { as: owner, body: own })
  const [editor, admin, keeper] = [
    await telltale.person({ in: { shop: 'editor' } }),
    await telltale.person({ in: { shop: 'admin' } }),
    await telltale.person({ in: { shop: 'viewer' } }),
  ]
  await telltale.request('PATCH', `/api/v1/projects/shop/members/${keeper.id}`, {
    ...{ as: owner, body: { role: 'keys' } },
  })
  await require('admins')
  const missing = async (person: Credential) => (await account(person)).body.secondFactorMissing
  expect([await missing(owner), await missing(editor), await missing(admin), await missing(keeper)]).toEqual([
    ...[true, false, true, true],
  ])
  const refused = await telltale.request('GET', '/api/v1/projects/shop', { as: keeper })
  expect(refused.body.type).toBe('/errors/second-factor-required')
  expect((await telltale.request('GET', '/api/v1/projects/shop', { as: editor })).status).toBe(200)
  await addApp()
  expect((await require('optional')).status).toBe(200)
})

test('an owner resets the second factor of a user who lost it', async () => {
  await telltale.project('shop')
  await addApp()
  const id = (await account(owner)).body.user.id
  const helper = await telltale.person({ role: 'owner' })
  const reset = () => telltale.request('DELETE', `/api/v1/users/${id}/second-factor`, { as: helper })
  expect((await reset()).status).toBe(204)
  expect((await account(owner)).status).toBe(401)
  expect((await signIn()).body).toMatchObject({ user: { secondFactor: false }, challenge: null })
})

/** An authenticator in software: ES256, without attestation. */
function createAuthenticator(origin = 'http://localhost') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  let counter = 0
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, rest])
  }
  const about = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
  return {
    register(challenge: string) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const point = (value: string) =>
        Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')])
      const cose = Buffer.concat([
        ...[Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]), point(x), Buffer.from([0x22]), point(y)],
      ])
      const length = Buffer.from([0, id.length])
      const data = authenticatorData(0x45, Buffer.concat([Buffer.alloc(16), length, id, cose]))
      const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
        ...[text('authData'), Buffer.from([0x58, data.length]), data],
      ])
      return {
        ...{ ...about, clientExtensionResults: {} },
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
        },
      }
    },
    sign(challenge: string, flags = 0x05) {
      const client = clientData('webauthn.get', challenge)
      const data = authenticatorData(flags)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        ...{ ...about, clientExtensionResults: {} },
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}

async function addPasskey(authenticator = createAuthenticator()) {
  const { token, options } = (await change('POST', '/passkeys/options', { password })).body
  const body = { token, name: 'Key', passkey: authenticator.register(options.challenge) }
  return { authenticator, answer: await change('POST', '/passkeys', body) }
}

test('a passkey is a second factor, and signs in without a password', async () => {
  const { authenticator, answer } = await addPasskey()
  expect(answer.body).toMatchObject({ passkey: { name: 'Key' }, recoveryCodes: expect.any(Array) })
  const { token, methods, passkey } = (await signIn()).body.challenge
  expect(methods).toEqual(['passkey', 'recovery-code'])
  expect(passkey.allowCredentials).toHaveLength(1)
  // Beside the password, no check of the user is needed.
  const signed = await prove(token, { passkey: authenticator.sign(passkey.challenge, 0x01) })
  expect(signed.status).toBe(200)

  const alone = async (flags?: number) => {
    const { body } = await telltale.request('POST', '/api/v1/sign-in/passkey')
    return prove(body.token, { passkey: authenticator.sign(body.passkey.challenge, flags) })
  }
  expect((await alone(0x01)).status).toBe(401)
  expect((await alone()).body.user).toMatchObject({ email })

  const { body } = await change('GET', '/second-factor')
  expect(body.passkeys).toMatchObject([{ name: 'Key', lastUsedAt: expect.any(String) }])
  expect((await change('DELETE', `/passkeys/${body.passkeys[0].id}`)).status).toBe(204)
  expect((await alone()).status).toBe(401)
})

test('sign-ins that strangers start are bounded, and keep no user out', async () => {
  const { secret } = await addApp()
  const { db } = telltale.running.services
  await db.execute(sql`
    INSERT INTO challenges (id, purpose, token_hash, passkey_challenge, created_at, expires_at)
    SELECT gen_random_uuid(), 'sign-in', n::text, '', ${new Date(now)}, ${new Date(now + 60_000)}
    FROM generate_series(1, ${limits.challengesOpen}::int) AS n`)
  expect((await telltale.request('POST', '/api/v1/sign-in/passkey')).status).toBe(429)
  const { token } = (await signIn()).body.challenge
  expect((await prove(token, { totp: codeOf(secret) })).status).toBe(200)
  pass(60_000)
  expect((await telltale.request('POST', '/api/v1/sign-in/passkey')).status).toBe(200)
})

test('passkeys of other sites, challenges and accounts are refused', async () => {
  expect((await addPasskey(createAuthenticator('https://evil.example'))).answer.status).toBe(400)
  const { authenticator } = await addPasskey()
  const { token, passkey } = (await signIn()).body.challenge
  const stale = (await signIn()).body.challenge.passkey.challenge
  expect((await prove(token, { passkey: authenticator.sign(stale) })).status).toBe(401)
  const stranger = createAuthenticator()
  expect((await prove(token, { passkey: stranger.sign(passkey.challenge) })).status).toBe(401)

  // The counter of a copied key falls behind.
  const copied = authenticator.sign(passkey.challenge)
  expect((await prove(token, { passkey: authenticator.sign(passkey.challenge) })).status).toBe(200)
  expect((await prove(token, { passkey: copied })).status).toBe(410)
})
