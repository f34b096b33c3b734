// What members say to each other, and what waits for them, over HTTP and with a mail server.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../test/mailbox.ts'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let mailbox: Mailbox
let telltale: Telltale
let owner: SomePerson
let ada: SomePerson
let bob: SomePerson
let viewer: SomePerson
let stranger: SomePerson

const project = '/api/v1/projects/shop'
const comments = `${project}/comments`
const on = { kind: 'flag', subject: 'checkout' }

beforeAll(async () => {
  mailbox = await openMailbox()
  telltale = await startTelltale({
    settings: {
      TELLTALE_SMTP_URL: mailbox.url,
      TELLTALE_PUBLIC_URL: 'http://telltale.example.com',
      TELLTALE_MANAGEMENT_RATE: '100000',
    },
  })
  await telltale.project('shop')
  await telltale.project('other')
  owner = await telltale.person({ role: 'owner' })
  ada = await telltale.person({ in: { shop: 'maintainer' } })
  bob = await telltale.person({ in: { shop: 'maintainer' } })
  viewer = await telltale.person({ in: { shop: 'viewer' } })
  stranger = await telltale.person({ in: { other: 'admin' } })
  const flag = { key: 'checkout', name: 'checkout', valueType: 'boolean' }
  expect((await by(ada)('POST', `${project}/flags`, flag)).status).toBe(201)
})
afterAll(async () => {
  await telltale[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
})

const by = (as: Credential) => (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as, ...(body === undefined ? {} : { body }) })
const say = (as: Credential, text: string, where: object = on) => by(as)('POST', comments, { ...where, text })
const inboxOf = async (as: Credential) => (await by(as)('GET', `${project}/inbox`)).body
const listOf = async (as: Credential, query = 'kind=flag&subject=checkout') =>
  (await by(as)('GET', `${comments}?${query}`)).body.items

test('a mention is in the inbox until it is read, and is mailed once', async () => {
  const sent = mailbox.letters.length
  const added = await say(ada, `Look at this, @${bob.email}. @${stranger.email} cannot.`)
  expect(added.status).toBe(201)
  expect(added.body.mentions.map(({ id }: { id: string }) => id)).toEqual([bob.id])

  await expect.poll(() => mailbox.letters.length).toBe(sent + 1)
  expect(mailbox.letters.at(-1)).toContain(`To: ${bob.email}`)
  expect(mailbox.letters.at(-1)).toContain('http://telltale.example.com/p/shop/flags/checkout')
  const inbox = await inboxOf(bob)
  expect(inbox.counts.mention).toBe(1)
  expect(inbox.items).toMatchObject([{ kind: 'mention', on: 'flag', subject: 'checkout', isRead: false }])
  expect((await inboxOf(ada)).counts.mention).toBe(0)

  const read = { comments: [added.body.id] }
  expect((await by(ada)('POST', `${project}/inbox/read`, read)).status).toBe(204)
  expect((await inboxOf(bob)).counts.mention).toBe(1)
  expect((await by(bob)('POST', `${project}/inbox/read`, read)).status).toBe(204)
  expect(await inboxOf(bob)).toMatchObject({ counts: { mention: 0 }, items: [{ isRead: true }] })
})

test('an edit notifies only members that it newly mentions, and who turned e-mail off gets none', async () => {
  const before = mailbox.letters.length
  const added = await say(ada, `@${bob.email}`)
  await expect.poll(() => mailbox.letters.length).toBe(before + 1)
  const sent = mailbox.letters.length
  expect((await by(viewer)('PATCH', '/api/v1/account', { mentionMail: false })).status).toBe(200)
  expect((await by(viewer)('GET', '/api/v1/account')).body.mentionMail).toBe(false)
  const text = `@${bob.email} @${viewer.email} @${owner.email}`
  const edited = await by(ada)('PATCH', `${comments}/${added.body.id}`, { text })
  expect(edited.body).toMatchObject({ text, editedAt: expect.any(String) })

  await expect.poll(() => mailbox.letters.length).toBe(sent + 1)
  expect(mailbox.letters.at(-1)).toContain(`To: ${owner.email}`)
  expect((await inboxOf(viewer)).counts.mention).toBe(1)
})

test('only the author edits, and the author or an admin deletes', async () => {
  const { body } = await say(ada, 'A draft')
  const path = `${comments}/${body.id}`
  expect((await by(bob)('PATCH', path, { text: 'Mine' })).status).toBe(403)
  expect((await by(bob)('DELETE', path)).status).toBe(403)
  expect((await by(owner)('DELETE', path)).status).toBe(204)
  expect((await by(owner)('DELETE', path)).status).toBe(404)
  expect((await say(viewer, 'May I?')).status).toBe(403)
  expect((await by(stranger)('GET', `${comments}?kind=flag&subject=checkout`)).status).toBe(404)
})

test('a comment needs something to be on, and sessions and errors an environment', async () => {
  expect((await say(ada, 'x', { kind: 'flag', subject: 'unknown' })).status).toBe(404)
  expect((await say(ada, 'x', { kind: 'rollout', subject: newId() })).status).toBe(404)
  expect((await say(ada, 'x', { kind: 'session', subject: 'no-id', env: 'production' })).status).toBe(404)
  const session = { kind: 'session', subject: newId() }
  expect((await say(ada, 'x', session)).status).toBe(400)
  expect((await say(ada, ' ', { ...session, env: 'production' })).status).toBe(400)
  expect((await say(ada, 'x', { ...session, env: 'production' })).status).toBe(201)
  expect(await listOf(viewer, `kind=session&subject=${session.subject}&env=production`)).toHaveLength(1)
  expect(await listOf(viewer, `kind=session&subject=${session.subject}&env=development`)).toHaveLength(1)
})

test('change requests wait for those who may approve them, then for those who may apply them', async () => {
  const env = `${project}/environments/production`
  expect((await by(owner)('PATCH', env, { approvalRequired: true })).status).toBe(200)
  const config = {
    version: 1,
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'on' },
  }
  const saved = await by(ada)('PUT', `${env}/flags/checkout/config`, config)
  expect(saved.status).toBe(202)
  const ofRequests = async (as: Credential) => (await inboxOf(as)).counts['change-request']
  expect([await ofRequests(ada), await ofRequests(bob), await ofRequests(viewer)]).toEqual([0, 1, 0])

  const { id } = saved.body.changeRequest
  const approved = await by(bob)('POST', `${project}/change-requests/${id}/approve`, { version: 1 })
  expect(approved.status).toBe(200)
  expect([await ofRequests(ada), await ofRequests(bob), await ofRequests(viewer)]).toEqual([1, 1, 0])
  const { items } = await inboxOf(ada)
  expect(items.find(({ kind }: { kind: string }) => kind === 'change-request')).toMatchObject({
    state: 'approved',
    isMine: true,
  })
})
