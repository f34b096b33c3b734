import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { identities } from '../../platform/engines/postgres/schema.ts'
import { createIdentityNotes } from './note-identity.ts'
import { traitsOf } from './traits.ts'

const minute = 60_000
/** From a server key, for which the address does not count. */
const from = (size: number) => ({ size, address: () => undefined })

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})

afterAll(() => telltale[Symbol.asyncDispose]())

const send = (method: string, path: string, { as = owner as Credential, body = undefined as unknown } = {}) =>
  telltale.request(method, `/api/v1/projects/shop${path}`, { as, ...(body === undefined ? {} : { body }) })

/** Each test has a separate environment. */
async function environment(key: string, settings: object = {}): Promise<{ id: string; path: string }> {
  const answer = await send('POST', '/environments', { body: { key, name: key, ...settings } })
  expect(answer.status).toBe(201)
  return { id: answer.body.id, path: `/environments/${key}` }
}

async function see({ id }: { id: string }, ...contexts: object[]): Promise<void> {
  const { identityNotes } = telltale.running.services
  for (const context of contexts) identityNotes.note(id, { ...context }, from(JSON.stringify(context).length))
  await identityNotes.flush()
}

const keysIn = (answer: { body: { items: { targetingKey: string }[] } }) =>
  answer.body.items.map(({ targetingKey }) => targetingKey)

test('an identity has the traits of the last context, and when it was first and last seen', async () => {
  const place = await environment('last-context')
  await see(place, { targetingKey: 'ada', plan: 'free', age: 36 }, { targetingKey: 'ada', plan: 'pro' })
  telltale.passTime(10 * minute)
  await see(place, { targetingKey: 'ada', plan: 'pro', tags: ['a'], company: { name: 'Analytical' } })

  const { body } = await send('GET', `${place.path}/identities/ada`)
  expect(body).toMatchObject({
    targetingKey: 'ada',
    traits: { plan: 'pro', tags: ['a'], company: { name: 'Analytical' } },
    masked: [],
    overrides: [],
  })
  expect(Date.parse(body.lastSeenAt) - Date.parse(body.firstSeenAt)).toBeGreaterThanOrEqual(10 * minute)
  expect((await send('GET', `${place.path}/identities/bob`)).status).toBe(404)
})

test('contexts without a usable targeting key have no identity, and numbers are keys too', async () => {
  const place = await environment('odd-keys')
  await see(
    place,
    { plan: 'pro' },
    { targetingKey: '' },
    { targetingKey: 'x'.repeat(limits.targetingKeyLength + 1) },
    { targetingKey: 'nul\0' },
    { targetingKey: '\ud800' },
    { targetingKey: 42 },
  )
  expect(keysIn(await send('GET', `${place.path}/identities`))).toEqual(['42'])
})

test('traits are bounded, and unstorable ones are omitted without losing the rest', () => {
  const long = 'x'.repeat(limits.traitLength)
  const { traits } = traitsOf({
    targetingKey: 'ada',
    long,
    longer: `${long}x`,
    nul: 'a\0b',
    half: '\ud800',
    '\ud800': 1,
    nothing: null,
    infinite: Number.POSITIVE_INFINITY,
    deep: { a: { b: { c: { d: { e: { f: 1 } } } } } },
    wide: Array.from({ length: 10_000 }, (_, index) => index),
    list: ['a', 1, null, true],
  })
  expect(traits).toEqual({ long, list: ['a', 1, null, true] })

  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`trait-${index}`, index]))
  expect(Object.keys(traitsOf(many).traits)).toHaveLength(limits.traitsPerIdentity)
})

test('an unchanged identity is written occasionally, and a changed one immediately', async () => {
  const place = await environment('calm')
  const lastSeen = async () => (await send('GET', `${place.path}/identities/ada`)).body.lastSeenAt
  await see(place, { targetingKey: 'ada', plan: 'free' })
  const first = await lastSeen()
  telltale.passTime(minute)
  await see(place, { targetingKey: 'ada', plan: 'free' })
  expect(await lastSeen()).toBe(first)
  await see(place, { targetingKey: 'ada', plan: 'pro' })
  const second = await lastSeen()
  expect(second).not.toBe(first)
  telltale.passTime(limits.identitySeenPrecision)
  await see(place, { targetingKey: 'ada', plan: 'pro' })
  expect(await lastSeen()).not.toBe(second)
})

test('private traits are never stored, and are removed when they become private', async () => {
  const place = await environment('private', { privateTraits: ['email'] })
  await see(place, { targetingKey: 'ada', email: 'ada@example.com', phone: '1', plan: 'pro' })
  const { db } = telltale.running.services
  const stored = async () =>
    (await db.select().from(identities)).find(({ environmentId }) => environmentId === place.id)
  expect((await stored())?.traits).toEqual({ phone: '1', plan: 'pro' })

  await send('PATCH', place.path, { body: { privateTraits: ['email', 'phone'] } })
  expect((await send('GET', `${place.path}/identities/ada`)).body.traits).toEqual({ plan: 'pro' })
  await expect.poll(async () => (await stored())?.traits).toEqual({ plan: 'pro' })

  // The next startup finishes the work of another server.
  await db
    .update(identities)
    .set({ traits: { phone: '2', plan: 'pro' } })
    .where(eq(identities.environmentId, place.id))
  await using _next = await startTelltale({ beside: telltale })
  await expect.poll(async () => (await stored())?.traits).toEqual({ plan: 'pro' })
})

test('sensitive traits are masked for editors: in lists, searches and traces', async () => {
  const place = await environment('sensitive', { sensitiveTraits: ['salary'] })
  const editor = await telltale.person({ in: { shop: 'editor' } })
  const maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  await see(place, { targetingKey: 'ada', salary: 5_000, plan: 'pro' })
  await send('POST', '/flags', { body: { key: 'bonus', name: 'Bonus', valueType: 'boolean' } })
  await send('PUT', `${place.path}/flags/bonus/config`, {
    body: {
      version: 1,
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [
        {
          when: { match: 'all', of: [{ attribute: 'salary', operator: 'greater', value: 4_000 }] },
          serve: { variation: 'on' },
        },
      ],
      fallthrough: { variation: 'off' },
    },
  })

  const listed = await send('GET', `${place.path}/identities`, { as: editor })
  expect(listed.body.items[0]).toMatchObject({ traits: { plan: 'pro' }, masked: ['salary'] })
  expect(JSON.stringify(listed.body)).not.toContain('5000')
  const searched = await send('GET', `${place.path}/identities?trait=salary&value=5000`, { as: editor })
  expect(searched.body).toMatchObject({ status: 403, permission: 'sensitive.view' })

  const tried = await send('GET', `${place.path}/identities/ada/flags`, { as: editor })
  // Evaluated as if it were not set, because the result would reveal whether the rule matches.
  expect(tried.body.items[0]).toMatchObject({ flag: 'bonus', value: false, reason: 'DEFAULT' })
  expect(tried.body.masked).toEqual(['salary'])
  expect(JSON.stringify(tried.body)).not.toContain('5000')

  const seen = await send('GET', `${place.path}/identities?trait=salary&value=5000`, { as: maintainer })
  expect(seen.body.items[0]).toMatchObject({ traits: { salary: 5_000 }, masked: [] })
  const traced = await send('GET', `${place.path}/identities/ada/flags`, { as: maintainer })
  expect(JSON.stringify(traced.body)).toContain('5000')
  expect(traced.body).toMatchObject({ masked: [], items: [{ value: true, reason: 'TARGETING_MATCH' }] })
})

test('identities are found by key prefix and by trait, page by page', async () => {
  const place = await environment('found')
  for (let index = 0; index < 5; index += 1) {
    await see(place, { targetingKey: `user-${index}`, plan: index % 2 === 0 ? 'pro' : 'free', level: index })
    telltale.passTime(1_000)
  }
  await see(place, { targetingKey: 'guest_1', beta: true })
  const find = async (query: string) => keysIn(await send('GET', `${place.path}/identities${query}`))

  expect(await find('')).toEqual(['guest_1', 'user-4', 'user-3', 'user-2', 'user-1', 'user-0'])
  expect(await find('?search=user')).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4'])
  expect(await find('?search=%25')).toEqual([])
  expect(await find('?search=guest%5F')).toEqual(['guest_1'])
  expect(await find('?trait=plan&value=pro')).toEqual(['user-4', 'user-2', 'user-0'])
  expect(await find('?trait=level&value=3')).toEqual(['user-3'])
  expect(await find('?trait=beta&value=true')).toEqual(['guest_1'])
  expect(await find('?search=user-2&trait=plan&value=free')).toEqual([])

  for (const query of ['', 'search=user&']) {
    const read: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await send(
        'GET',
        `${place.path}/identities?${query}limit=2${cursor && `&cursor=${cursor}`}`,
      )
      read.push(...keysIn(page))
      cursor = page.body.next
    }
    expect(read).toEqual(await find(`?${query}`))
  }
  expect((await send('GET', `${place.path}/identities?trait=plan`)).body.errors).toMatchObject([
    { pointer: '?value' },
  ])
  const bent = Buffer.from(JSON.stringify({ after: 'yesterday ada' })).toString('base64url')
  expect((await send('GET', `${place.path}/identities?cursor=${bent}`)).status).toBe(400)
})

test('every flag is shown for an identity with its stored traits, and for an unknown one without', async () => {
  const place = await environment('tried')
  await send('POST', '/flags', { body: { key: 'checkout', name: 'Checkout', valueType: 'boolean' } })
  await send('PUT', `${place.path}/flags/checkout/config`, {
    body: {
      version: 1,
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [
        {
          when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] },
          serve: { variation: 'on' },
        },
      ],
      fallthrough: { variation: 'off' },
    },
  })
  await see(place, { targetingKey: 'ada', plan: 'pro' })
  const tried = async (key: string) => {
    const { body } = await send('GET', `${place.path}/identities/${key}/flags`)
    return { ...body, checkout: body.items.find(({ flag }: { flag: string }) => flag === 'checkout') }
  }
  const known = await tried('ada')
  expect(known.checkout).toMatchObject({ variation: 'on', reason: 'TARGETING_MATCH' })
  expect(known.traitsSeenAt).toBe((await send('GET', `${place.path}/identities/ada`)).body.lastSeenAt)
  expect(await tried('stranger')).toMatchObject({ traitsSeenAt: null, checkout: { variation: 'off' } })
})

test('deleting an identity deletes its overrides, and the audit log does not name it', async () => {
  const place = await environment('deleted')
  await send('POST', '/flags', { body: { key: 'special', name: 'Special', valueType: 'boolean' } })
  await send('PUT', `${place.path}/flags/special/overrides/ada%40example.com`, { body: { variation: 'on' } })
  await see(place, { targetingKey: 'ada@example.com', plan: 'pro' }, { targetingKey: 'bob' })
  const path = `${place.path}/identities/ada%40example.com`
  expect((await send('GET', path)).body.overrides).toMatchObject([{ flag: 'special', variation: 'on' }])

  const maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  expect((await send('DELETE', path, { as: maintainer })).body).toMatchObject({
    permission: 'privacy.manage',
  })
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('GET', path)).status).toBe(404)
  expect((await send('DELETE', path)).status).toBe(404)
  expect((await send('GET', `${place.path}/flags/special/overrides`)).body.items).toEqual([])
  expect(keysIn(await send('GET', `${place.path}/identities`))).toEqual(['bob'])

  const { body: audit } = await send('GET', '/audit?limit=2')
  expect(audit.items.map(({ action }: { action: string }) => action).sort()).toEqual([
    'identity.delete',
    'override.delete',
  ])
  expect(JSON.stringify(audit)).not.toContain('ada@')

  // Once the server has received the deletion.
  const seenAgain = async () => {
    await see(place, { targetingKey: 'ada@example.com', plan: 'pro' })
    return (await send('GET', path)).status
  }
  await expect.poll(seenAgain).toBe(200)
})

test('pending traits survive a failure, and newer ones replace them', async () => {
  const place = await environment('failing')
  const { services } = telltale.running
  const { db } = services
  let isAway = true
  const flaky = new Proxy(db, {
    get: (target, name, receiver) =>
      name === 'execute' && isAway
        ? () => Promise.reject(new Error('away'))
        : Reflect.get(target, name, receiver),
  })
  const notes = createIdentityNotes({ ...services, db: flaky })
  notes.note(place.id, { targetingKey: 'ada', plan: 'free' }, from(50))
  notes.note(place.id, { targetingKey: 'bob', plan: 'free' }, from(50))
  const failing = notes.flush()
  await Promise.resolve()
  await Promise.resolve()
  notes.note(place.id, { targetingKey: 'ada', plan: 'pro' }, from(50))
  await expect(failing).rejects.toThrow('away')
  isAway = false
  await notes.stop()

  expect((await send('GET', `${place.path}/identities/ada`)).body.traits).toEqual({ plan: 'pro' })
  expect((await send('GET', `${place.path}/identities/bob`)).body.traits).toEqual({ plan: 'free' })
})

test('a large context is reduced to its traits, and many of them do not fill the memory', async () => {
  const place = await environment('large')
  const blob = 'x'.repeat(100_000)
  await see(place, { targetingKey: 'ada', plan: 'pro', blob })
  expect((await send('GET', `${place.path}/identities/ada`)).body.traits).toEqual({ plan: 'pro' })

  const { identityNotes } = telltale.running.services
  const size = limits.identityContextSize
  const fitting = limits.identityNotesSize / size
  for (let index = 0; index < fitting + 10; index += 1) {
    identityNotes.note(place.id, { targetingKey: `user-${index}` }, from(size))
  }
  await identityNotes.flush()
  const { body } = await send('GET', `${place.path}/identities?search=user-${fitting - 1}`)
  expect(body.items).toHaveLength(1)
  expect((await send('GET', `${place.path}/identities?search=user-${fitting}`)).body.items).toEqual([])
})

test('identities beyond a batch wait for the next one', async () => {
  const place = await environment('crowded')
  const { identityNotes, db } = telltale.running.services
  for (let index = 0; index < limits.identityNotes + 50; index += 1) {
    identityNotes.note(place.id, { targetingKey: `user-${index}` }, from(30))
  }
  await identityNotes.flush()
  const rows = await db.select({ environmentId: identities.environmentId }).from(identities)
  expect(rows.filter(({ environmentId }) => environmentId === place.id)).toHaveLength(limits.identityNotes)
})
