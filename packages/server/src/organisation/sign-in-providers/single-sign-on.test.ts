import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SomePerson, Telltale } from '../../../../../test/start.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { hashPassword } from '../users/password.ts'
import { asSigned, openSignIns, type SignIns } from './testing/sign-ins.ts'

let on: SignIns
let telltale: Telltale
const password = 'seven green bottles'
let owner: SomePerson
beforeAll(async () => {
  on = await openSignIns()
  telltale = on.telltale
})
afterAll(() => on[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await on.reset()
  await on.create()
  const passwordHash = await hashPassword(password)
  await telltale.running.services.db.update(users).set({ passwordHash }).where(eq(users.id, owner.id))
})

const require = (singleSignOnOnly: boolean, breakGlassOwner: string | null = owner.id) =>
  on.manage('PUT', '/api/v1/single-sign-on', { singleSignOnOnly, breakGlassOwner })
const byPassword = (email: string) =>
  telltale.request('POST', '/api/v1/sign-in', { body: { email, password } })

async function member(email: string) {
  const person = await telltale.person({ email })
  const passwordHash = await hashPassword(password)
  await telltale.running.services.db.update(users).set({ passwordHash }).where(eq(users.id, person.id))
  return person
}

test('needs a provider that has worked, and an owner with a password', async () => {
  expect((await require(true, null)).body.errors).toMatchObject([
    { pointer: '/singleSignOnOnly' },
    { pointer: '/breakGlassOwner' },
  ])
  const ada = await on.signIn()
  expect((await require(true, ada.body.user.id)).body.errors).toMatchObject([{ pointer: '/breakGlassOwner' }])
  expect((await require(true)).body).toMatchObject({ singleSignOnOnly: true, breakGlassOwner: owner.id })
  expect((await telltale.request('GET', '/api/v1/sign-in/options')).body.singleSignOnOnly).toBe(true)
  await require(false)
})

test('refuses passwords of all but one owner, ends their sessions, and can be switched off', async () => {
  const noor = await member('noor@shop.example')
  const ada = asSigned(await on.signIn())
  await require(true)
  expect((await on.account(noor)).status).toBe(401)
  expect((await on.account(owner)).status).toBe(200)
  expect((await on.account(ada)).status).toBe(200)
  expect((await byPassword(noor.email)).body.type).toBe('/errors/single-sign-on-required')
  expect((await byPassword(owner.email)).status).toBe(200)
  await require(false)
  expect((await byPassword(noor.email)).status).toBe(200)
})

test('keeps the last provider, and the owner who can sign in without it', async () => {
  await telltale.person({ role: 'owner' })
  await on.signIn()
  await require(true)
  for (const answer of [
    await on.update({ enabled: false }),
    await on.manage('DELETE', '/api/v1/sign-in-providers/okta'),
    await on.manage('PATCH', `/api/v1/users/${owner.id}`, { role: 'member' }),
    await on.manage('DELETE', `/api/v1/users/${owner.id}`),
  ]) {
    expect(answer.body.type).toBe('/errors/in-use')
  }
  await require(false)
  expect((await on.update({ enabled: false })).status).toBe(200)
})

test('of two providers that are deleted at the same moment, one stays', async () => {
  await on.create({ key: 'keycloak' })
  await on.signIn()
  await require(true)
  const answers = await Promise.all(
    ['okta', 'keycloak'].map((key) => on.manage('DELETE', `/api/v1/sign-in-providers/${key}`)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  await require(false)
})

test('an invitation does not create an account with a password', async () => {
  await telltale.project('shop')
  await on.signIn()
  const invited = await on.manage('POST', '/api/v1/projects/shop/invitations', {
    ...{ email: 'noor@shop.example', role: 'editor' },
  })
  await require(true)
  const token = new URL(invited.body.url).hash.slice(1)
  const body = { token, name: 'Noor', password }
  const accepted = await telltale.request('POST', '/api/v1/invitation/accept', { body })
  expect(accepted.body.type).toBe('/errors/single-sign-on-required')

  on.provider.accounts.set('noor', { email: 'Noor@shop.example', email_verified: true })
  on.provider.signsIn = 'noor'
  expect(await on.rolesOf(asSigned(await on.signIn()))).toEqual({ shop: 'editor' })
  await require(false)
})
