import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { invitations, memberships } from '../../platform/engines/postgres/schema.ts'

const day = 24 * 3_600_000
const minute = 60_000
const password = 'a boat with a red sail'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

// Wrong links and passwords are limited per minute.
beforeEach(() => telltale.passTime(minute))

const at = (project: string, rest = '') => `/api/v1/projects/${project}/invitations${rest}`

async function invite(project: string, email: string, role = 'editor') {
  const answer = await telltale.request('POST', at(project), { as: owner, body: { email, role } })
  expect(answer.status).toBe(201)
  return { ...answer.body, token: tokenIn(answer.body.url) }
}

const tokenIn = (url: string) => new URL(url).hash.slice(1)

const view = (token: string) => telltale.request('POST', '/api/v1/invitation/view', { body: { token } })

const accept = (body: { token: string; name?: string; password: string }) =>
  telltale.request('POST', '/api/v1/invitation/accept', { body })

const cookieOf = (answer: Answer) => ({
  headers: { cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '' },
})

async function stateOf(project: string, id: string): Promise<string> {
  const { body } = await telltale.request('GET', at(project), { as: owner })
  return body.items.find((item: { id: string }) => item.id === id).state
}

/** Creates an account with a password. */
async function settler(email: string): Promise<void> {
  await telltale.project('harbour').catch(() => undefined)
  const { token } = await invite('harbour', email)
  expect((await accept({ token, name: 'Settler', password })).status).toBe(201)
}

test('an invited user sees the project, sets a password, and is signed in', async () => {
  await telltale.project('shop')
  const { invitation, url, mailed, token } = await invite('shop', 'ada@shop.example', 'maintainer')
  expect(url).toBe(`${telltale.url}/invite/#${token}`)
  expect(mailed).toBe(false)
  expect(invitation).toMatchObject({ email: 'ada@shop.example', role: 'maintainer', state: 'pending' })

  const seen = await view(token)
  expect(seen.body).toMatchObject({
    email: 'ada@shop.example',
    role: 'maintainer',
    project: { key: 'shop', name: 'shop' },
    invitedBy: expect.stringMatching(/^Person /),
    expiresAt: invitation.expiresAt,
    hasAccount: false,
  })

  const accepted = await accept({ token, name: 'Ada', password })
  expect(accepted.status).toBe(201)
  expect(accepted.body).toMatchObject({
    user: { email: 'ada@shop.example', name: 'Ada', role: 'member' },
    project: 'shop',
  })
  const ada = cookieOf(accepted)
  const account = await telltale.request('GET', '/api/v1/account', { as: ada })
  expect(account.body.projects).toMatchObject([{ key: 'shop', name: 'shop', role: 'maintainer', own: false }])
  expect(await stateOf('shop', invitation.id)).toBe('accepted')

  const signIn = { email: 'ada@shop.example', password }
  expect((await telltale.request('POST', '/api/v1/sign-in', { body: signIn })).status).toBe(200)
})

test('the audit log names the accepting account, and contains neither link nor hash', async () => {
  await telltale.project('told')
  const { invitation, token } = await invite('told', 'grace@told.example')
  const renewed = await telltale.request('POST', at('told', `/${invitation.id}/renew`), { as: owner })
  const second = tokenIn(renewed.body.url)
  const { body } = await accept({ token: second, name: 'Grace', password })

  const { db } = telltale.running.services
  const rows = await db.select().from(auditEntries).orderBy(auditEntries.id)
  const story = rows.filter((row) => [invitation.id, body.user.id].includes(row.entityId))
  expect(story.map(({ action, actor }) => [action, actor.id])).toEqual([
    ['invitation.create', owner.id],
    ['invitation.renew', owner.id],
    ['user.create', body.user.id],
    ['member.create', body.user.id],
    ['invitation.accept', body.user.id],
  ])
  expect(story.at(-1)?.changes).toEqual([{ pointer: '/state', before: 'pending', after: 'accepted' }])

  const [kept] = await db.select().from(invitations).where(eq(invitations.id, invitation.id))
  const [user] = await db.select().from(users).where(eq(users.id, body.user.id))
  for (const secret of [token, second, password, kept?.tokenHash, user?.passwordHash])
    expect(JSON.stringify(rows)).not.toContain(secret)
  expect(JSON.stringify(kept)).not.toContain(second)
})

test('an existing account accepts with its password', async () => {
  await settler('lin@known.example')
  await telltale.project('known')
  const { token, invitation } = await invite('known', 'Lin@Known.example', 'viewer')
  expect((await view(token)).body.hasAccount).toBe(true)

  const wrong = await accept({ token, name: 'Mallory', password: 'not the password' })
  expect(wrong.status).toBe(401)
  expect(wrong.body.type).toBe('/errors/unauthenticated')
  expect(wrong.headers.get('set-cookie')).toBeNull()
  expect(await stateOf('known', invitation.id)).toBe('pending')

  const accepted = await accept({ token, password })
  expect(accepted.status).toBe(201)
  expect(accepted.body.user).toMatchObject({ name: 'Settler', email: 'lin@known.example' })
})

test('a disabled account gets the same response as a wrong password', async () => {
  await settler('kim@closed.example')
  await telltale.project('closed')
  const { token } = await invite('closed', 'kim@closed.example')
  const wrong = await accept({ token, password: 'not the password' })
  const { db } = telltale.running.services
  await db.update(users).set({ disabledAt: new Date() }).where(eq(users.email, 'kim@closed.example'))
  const disabled = await accept({ token, password })

  const withoutIds = ({ body }: Answer) => ({ ...body, requestId: undefined })
  expect(withoutIds(disabled)).toEqual(withoutIds(wrong))
})

test('a new account requires a name and a strong password; until then nothing happens', async () => {
  await telltale.project('careful')
  const { token, invitation } = await invite('careful', 'noor@careful.example')
  const { db } = telltale.running.services
  const before = [await db.$count(users), await db.$count(memberships), await db.$count(auditEntries)]

  const nameless = await accept({ token, password: 'short' })
  expect(nameless.status).toBe(400)
  expect(nameless.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/name',
    '/password',
  ])
  const common = await accept({ token, name: 'Noor', password: 'passwordpassword' })
  expect(common.body.errors).toMatchObject([{ pointer: '/password' }])

  expect([await db.$count(users), await db.$count(memberships), await db.$count(auditEntries)]).toEqual(
    before,
  )
  expect(await stateOf('careful', invitation.id)).toBe('pending')
  expect((await accept({ token, name: 'Noor', password })).status).toBe(201)
})

test('a link works once', async () => {
  await telltale.project('once')
  const { token } = await invite('once', 'once@once.example')
  const answers = await Promise.all(
    [1, 2, 3].map((guest) => accept({ token, name: `Guest ${guest}`, password })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 410 || status === 401)).toHaveLength(2)

  const late = await view(token)
  expect(late.status).toBe(410)
  expect(late.body).toMatchObject({
    type: '/errors/link-expired',
    detail: expect.stringContaining('accepted'),
  })
})

test('a link works once, even if an existing account uses it twice concurrently', async () => {
  await settler('twice@twice.example')
  await telltale.project('twice')
  const { token, invitation } = await invite('twice', 'twice@twice.example')
  const answers = await Promise.all([1, 2].map(() => accept({ token, password })))

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410])
  const { db } = telltale.running.services
  expect(await db.$count(auditEntries, eq(auditEntries.entityId, invitation.id))).toBe(2)
})

test('a link expires after a week, and can be renewed', async () => {
  await telltale.project('weekly')
  const { token, invitation } = await invite('weekly', 'wes@weekly.example')
  telltale.passTime(7 * day + 1)

  expect(await stateOf('weekly', invitation.id)).toBe('expired')
  const late = await accept({ token, name: 'Wes', password })
  expect(late.body).toMatchObject({
    type: '/errors/link-expired',
    detail: expect.stringContaining('expired'),
  })

  const fresh = await telltale.person({ role: 'owner' })
  const renewed = await telltale.request('POST', at('weekly', `/${invitation.id}/renew`), { as: fresh })
  expect(renewed.status).toBe(201)
  expect(renewed.body.invitation).toMatchObject({ id: invitation.id, state: 'pending' })
  expect((await view(token)).body.detail).toContain('newer')
  expect((await accept({ token: tokenIn(renewed.body.url), name: 'Wes', password })).status).toBe(201)

  const again = await telltale.request('POST', at('weekly', `/${invitation.id}/renew`), { as: fresh })
  expect(again.body.type).toBe('/errors/in-use')
  owner = fresh
})

test('a revoked link is invalid; revoking twice changes nothing', async () => {
  await telltale.project('revoked')
  const { token, invitation } = await invite('revoked', 'rae@revoked.example')
  const path = at('revoked', `/${invitation.id}`)
  const first = await telltale.request('DELETE', path, { as: owner })
  const second = await telltale.request('DELETE', path, { as: owner })

  expect(first.body.state).toBe('revoked')
  expect(second.body).toEqual(first.body)
  const { db } = telltale.running.services
  expect(await db.$count(auditEntries, eq(auditEntries.entityId, invitation.id))).toBe(2)

  const refused = await accept({ token, name: 'Rae', password })
  expect(refused.body).toMatchObject({
    type: '/errors/link-expired',
    detail: expect.stringContaining('revoked'),
  })
  const renewal = await telltale.request('POST', `${path}/renew`, { as: owner })
  expect(renewal.body.type).toBe('/errors/link-expired')
  expect(
    (
      await telltale.request('POST', at('revoked'), {
        as: owner,
        body: { email: 'rae@revoked.example', role: 'viewer' },
      })
    ).status,
  ).toBe(201)
})

test('an accepted invitation cannot be revoked: the member is removed', async () => {
  await telltale.project('joined')
  const { token, invitation } = await invite('joined', 'jo@joined.example')
  await accept({ token, name: 'Jo', password })

  const refused = await telltale.request('DELETE', at('joined', `/${invitation.id}`), { as: owner })
  expect(refused.body.type).toBe('/errors/in-use')
  expect(await stateOf('joined', invitation.id)).toBe('accepted')
})

test('an address has one link per project at a time, and members need none', async () => {
  await telltale.project('single')
  await telltale.project('other')
  const { token } = await invite('single', 'max@single.example')
  const draft = { email: 'Max@single.example', role: 'viewer' }

  expect((await telltale.request('POST', at('single'), { as: owner, body: draft })).body.type).toBe(
    '/errors/already-exists',
  )
  expect((await telltale.request('POST', at('other'), { as: owner, body: draft })).status).toBe(201)
  await accept({ token, name: 'Max', password })
  const again = await telltale.request('POST', at('single'), { as: owner, body: draft })
  expect(again.body).toMatchObject({
    type: '/errors/already-exists',
    detail: expect.stringContaining('member'),
  })
})

test('an expired invitation is not renewed besides a newer one', async () => {
  await telltale.project('beside')
  const { invitation } = await invite('beside', 'bo@beside.example')
  telltale.passTime(7 * day + 1)
  owner = await telltale.person({ role: 'owner' })
  await invite('beside', 'bo@beside.example')

  const renewal = await telltale.request('POST', at('beside', `/${invitation.id}/renew`), { as: owner })
  expect(renewal.body.type).toBe('/errors/already-exists')
})

test('a user who has become a member keeps the higher role', async () => {
  await settler('up@meanwhile.example')
  await settler('down@meanwhile.example')
  await telltale.project('meanwhile')
  const up = await invite('meanwhile', 'up@meanwhile.example', 'admin')
  const down = await invite('meanwhile', 'down@meanwhile.example', 'viewer')
  for (const email of ['up@meanwhile.example', 'down@meanwhile.example'])
    await telltale.request('POST', '/api/v1/projects/meanwhile/members', {
      as: owner,
      body: { email, role: 'editor' },
    })

  await accept({ token: up.token, password })
  await accept({ token: down.token, password })
  const { body } = await telltale.request('GET', '/api/v1/projects/meanwhile/members', { as: owner })
  expect(body.items.map((item: { role: string }) => item.role)).toEqual(['editor', 'admin'])
})

test('a role from the setup file is not changed by an invitation', async () => {
  await settler('set@declared.example')
  await telltale.project('declared')
  const { token } = await invite('declared', 'set@declared.example', 'admin')
  const member = await telltale.request('POST', '/api/v1/projects/declared/members', {
    as: owner,
    body: { email: 'set@declared.example', role: 'viewer' },
  })
  const { db } = telltale.running.services
  const userId = member.body.user.id
  await db.update(memberships).set({ managed: true }).where(eq(memberships.userId, userId))

  expect((await accept({ token, password })).status).toBe(201)
  const { body } = await telltale.request('GET', '/api/v1/projects/declared/members', { as: owner })
  expect(body.items).toMatchObject([{ role: 'viewer', managed: true }])
})

test('a repeated invitation gets the same link', async () => {
  await telltale.project('repeated')
  const request = {
    as: owner,
    body: { email: 'rex@repeated.example', role: 'viewer' },
    headers: { 'idempotency-key': 'invite-rex' },
  }
  const first = await telltale.request('POST', at('repeated'), request)
  const second = await telltale.request('POST', at('repeated'), request)

  expect(second.status).toBe(201)
  expect(second.body).toEqual(first.body)
})

test('invitations are listed newest first, page by page', async () => {
  await telltale.project('listed')
  for (const name of ['a', 'b', 'c']) await invite('listed', `${name}@listed.example`)

  const first = await telltale.request('GET', at('listed', '?limit=2'), { as: owner })
  const second = await telltale.request('GET', at('listed', `?limit=2&cursor=${first.body.next}`), {
    as: owner,
  })
  const emails = [...first.body.items, ...second.body.items].map(({ email }: { email: string }) => email)

  expect(emails).toEqual(['c@listed.example', 'b@listed.example', 'a@listed.example'])
  expect(second.body.next).toBeNull()
  expect(JSON.stringify(first.body)).not.toContain('tti_')
})

test('guessing links is rate-limited', async () => {
  const answers = []
  for (let guess = 0; guess < 11; guess += 1) answers.push(await view(`tti_guess-${guess}`))

  expect(answers.slice(0, 10).every(({ status }) => status === 410)).toBe(true)
  expect(answers.at(-1)?.status).toBe(429)
})

test('an invitation to another project is not found', async () => {
  await telltale.project('near')
  await telltale.project('far')
  const { invitation } = await invite('far', 'fay@far.example')

  expect((await telltale.request('DELETE', at('near', `/${invitation.id}`), { as: owner })).status).toBe(404)
  expect((await telltale.request('POST', at('near', `/${invitation.id}/renew`), { as: owner })).status).toBe(
    404,
  )
  expect(await stateOf('far', invitation.id)).toBe('pending')
})
