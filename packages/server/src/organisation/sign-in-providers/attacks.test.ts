import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSignInProvider, signInAt, type TestProvider } from '../../../../../test/sign-in-provider.ts'
import { type Answer, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { draftOf, openSignIns, type SignIns, site } from './testing/sign-ins.ts'

let on: SignIns
let telltale: Telltale
let provider: TestProvider
let owner: SomePerson
beforeAll(async () => {
  on = await openSignIns()
  telltale = on.telltale
  provider = on.provider
})
afterAll(() => on[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await on.reset()
  await on.create()
})

const refused = (answer: Answer, code: string) => {
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ type: `/errors/${code}` })
  expect(answer.headers.getSetCookie().join()).not.toContain('telltale_session')
}

test('state fixation and injected codes: another browser cannot finish, and nothing works twice', async () => {
  const victim = await on.start()
  const attacker = await on.start()
  const stolen = await signInAt(provider, attacker.url)
  refused(await on.finish(stolen.search, ''), 'link-expired')
  refused(await on.finish(stolen.search, victim.cookie), 'link-expired')
  // The attacker's code with the victim's own state: the code was issued for another challenge.
  const injected = new URLSearchParams(stolen.search)
  injected.set('state', new URL(victim.url).searchParams.get('state') ?? '')
  refused(await on.finish(injected.toString(), victim.cookie), 'sign-in-failed')

  expect((await on.finish(stolen.search, attacker.cookie)).status).toBe(200)
  refused(await on.finish(stolen.search, attacker.cookie), 'link-expired')
})

test('mix-up: the response of one provider is not accepted as that of another', async () => {
  await using evil = await openSignInProvider({ sites: [site], providerKey: 'evil' })
  const other = { key: 'evil', issuer: evil.url, buttonText: 'Evil' }
  expect((await on.create(other)).status).toBe(201)
  const { url, cookie } = await on.start('/api/v1/sign-in/providers/evil')
  // The malicious provider sends the browser on to the honest one, with the state that it was given.
  const honest = await on.start()
  const forwarded = new URL(honest.url)
  forwarded.searchParams.set('state', new URL(url).searchParams.get('state') ?? '')
  const back = await signInAt(provider, forwarded.href)
  expect(back.pathname).toBe('/sign-in/callback/okta')
  const asked = evil.asked.length
  refused(await on.finish(back.search, cookie), 'link-expired')
  // Even if the page were fooled: the response names its issuer.
  refused(await on.finish(back.search, cookie, { key: 'evil' }), 'sign-in-failed')
  expect(evil.asked.slice(asked)).not.toContain('POST /token')
})

test('open redirect: only paths of the console are returned to', async () => {
  for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example', 'p/shop', '/a\tb']) {
    const body = { returnTo }
    const answer = await telltale.request('POST', '/api/v1/sign-in/providers/okta', { body })
    expect(answer.status, returnTo).toBe(400)
  }
})

const signed = async (claims: JWTPayload, key: JWK) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', ...(key.kid && { kid: key.kid }) })
    .sign(await importJWK(key, 'RS256'))
const now = () => Math.floor(Date.now() / 1_000)
const forged = (change: JWTPayload) => (token: string, key: JWK) =>
  signed({ ...decodeJwt(token), ...change }, key)
const unsigned = async (token: string) => {
  const [, payload] = token.split('.')
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
}
const other = async (token: string, key: JWK) => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return signed(decodeJwt(token), { ...(await exportJWK(privateKey)), ...(key.kid && { kid: key.kid }) })
}

test.each<[string, NonNullable<TestProvider['tamper']>]>([
  ['for another audience', forged({ aud: 'another-client' })],
  ['of another issuer', forged({ iss: 'https://evil.example' })],
  ['with another nonce', forged({ nonce: 'another' })],
  ['without a nonce', forged({ nonce: undefined })],
  ['that has expired', forged({ iat: now() - 7_200, exp: now() - 3_600 })],
  ['for several audiences, issued to another', forged({ aud: ['telltale', 'b'], azp: 'b' })],
  ['with alg: none', unsigned],
  ['signed with another key', other],
])('an ID token %s is refused', async (_what, tamper) => {
  provider.tamper = tamper
  refused(await on.signIn(), 'sign-in-failed')
  expect(await telltale.running.services.db.$count(users)).toBe(1)
})

test('the secret is never shown, and does not follow to another issuer', async () => {
  const listed = await telltale.request('GET', '/api/v1/sign-in-providers', { as: owner })
  const audit = await telltale.request('GET', '/api/v1/audit', { as: owner })
  for (const { body } of [listed, audit]) expect(JSON.stringify(body)).not.toContain(provider.clientSecret)
  const moved = await on.update({ issuer: `${provider.url}/evil` })
  expect(moved.body.errors).toMatchObject([{ pointer: '/secret' }])
})

test('a subject of one issuer does not sign in at another, which the provider was moved to meanwhile', async () => {
  provider.tamper = async (token) => {
    await on.update({ issuer: `${provider.url}/other`, secret: 'another secret' })
    return token
  }
  refused(await on.signIn(), 'link-expired')
  expect(await telltale.running.services.db.$count(users)).toBe(1)
})

test('a provider in a private network needs the setting', async () => {
  await using strict = await startTelltale({ beside: telltale })
  const as = owner
  const body = { ...draftOf(provider), key: 'inside' }
  const created = await strict.request('POST', '/api/v1/sign-in-providers', { as, body })
  expect(created.body.errors).toMatchObject([{ pointer: '/issuer' }])
  const started = await strict.request('POST', '/api/v1/sign-in/providers/okta', { body: {} })
  expect(started.body.type).toBe('/errors/provider-unavailable')
})
