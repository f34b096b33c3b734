// The blast radius of a change, compared with evaluating each user one by one before and after saving the
// change.

import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
const here = `${environments}/development`
const flagUrl = `${here}/flags`
const radiusUrl = `${here}/blast-radius`
const window = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
}

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await stage.telltale.request(method, path, { as: stage.owner, body })
  return answer
}
const done = async (method: string, path: string, body?: unknown) => {
  const answer = await ask(method, path, body)
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body
}

const failure = { source: 'uncaught', type: 'Error', message: 'no', handled: false }
const plans = ['free', 'team', 'company']
const people = Array.from({ length: 132 }, (_, index) => `person-${index}`)
const visits = new Map<string, { sessions: number; errors: number; read: string[] }>()

beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_MANAGEMENT_RATE: '100000' })
  await done('POST', '/api/v1/projects/shop/segments', {
    key: 'paying',
    name: 'Paying',
    when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'company' }] },
  })
  for (const key of ['base', 'checkout', 'above'])
    await done('POST', '/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })
  await save('base', { fallthrough: half(70_000) })
  await save('checkout', {
    prerequisites: [{ flag: 'base', variation: 'on' }],
    rules: [
      {
        when: { match: 'all', of: [{ operator: 'in-segment', segment: 'paying' }] },
        serve: { variation: 'on' },
      },
    ],
    fallthrough: half(20_000),
  })
  await save('above', {
    prerequisites: [{ flag: 'checkout', variation: 'on' }],
    fallthrough: { variation: 'on' },
  })
  await done('PUT', `${flagUrl}/checkout/overrides/person-7`, { variation: 'on' })
  await comeAndGo()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const half = (on: number) => ({
  split: [
    { variation: 'on', weight: on },
    { variation: 'off', weight: 100_000 - on },
  ],
})

const draftOf = (parts: object) => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'off' },
  ...parts,
})

async function save(flag: string, parts: object) {
  const { version } = await done('GET', `${flagUrl}/${flag}/config`)
  return done('PUT', `${flagUrl}/${flag}/config`, { ...draftOf(parts), version })
}

/** Most users are identities; every third had sessions, and some are known only by their sessions. */
async function comeAndGo() {
  const random = seededRandom(11)
  const identities = people.filter((_, index) => index % 6 !== 0)
  const now = new Date().toISOString()
  await stage.telltale.running.services.db.execute(sql`
    INSERT INTO identities (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
    SELECT ${stage.environment}::uuid, one->>'key', one->'traits', ${now}::timestamptz, ${now}::timestamptz
    FROM jsonb_array_elements(${JSON.stringify(
      identities.map((key, index) => ({ key, traits: { plan: plans[index % 3], age: index % 90 } })),
    )}::jsonb) AS one`)
  const sessions: ((index: number) => object[])[] = []
  people.forEach((key, index) => {
    if (index % 3 !== 0) return
    const of = {
      sessions: 1 + Math.floor(random.uniform() * 3),
      errors: 0,
      read: index % 9 === 0 ? [] : ['checkout'],
    }
    for (let n = 0; n < of.sessions; n += 1) {
      const isAnonymous = index % 6 === 0
      const who = isAnonymous ? { anonymousId: key } : { anonymousId: `browser-${index}`, userKey: key }
      const reads = of.read.map((flag) => ({ flag, variation: 'off' }))
      const hasError = random.uniform() < 0.3
      if (hasError) of.errors += 1
      sessions.push((at) => [
        context({ index: at, session: newId(), ...who, reads }),
        event('view', { context: at }),
        ...(hasError ? [event('error', { context: at, ...failure })] : []),
      ])
    }
    visits.set(key, of)
  })
  for (let first = 0; first < sessions.length; first += 15) {
    const lines = sessions.slice(first, first + 15).flatMap((linesAt, at) => linesAt(at))
    const answer = await stage.post(toLines(lines), { headers: window })
    expect(answer.body.dropped, JSON.stringify(answer.body)).toEqual([])
  }
  const expected = [...visits.values()].reduce((sum, one) => sum + one.sessions, 0)
  const counting = 'SELECT toUInt32(uniqExact(session_id)) AS n FROM events'
  await vi.waitFor(async () => expect(await stage.read(counting)).toEqual([{ n: expected }]), {
    timeout: 20_000,
  })
}

/** Current variations of the listed users, by flag. */
async function evaluateAll(flags: readonly string[]) {
  const found = new Map<string, Record<string, string | null>>()
  for (const key of people) {
    const known = await done('GET', `${here}/identities/${key}/flags`)
    const items: { flag: string; variation: string | null }[] = known.items
    found.set(
      key,
      Object.fromEntries(
        items.filter(({ flag }) => flags.includes(flag)).map((one) => [one.flag, one.variation]),
      ),
    )
  }
  return found
}

async function preview(change: object) {
  const body = await done('POST', radiusUrl, { change })
  expect(body).toMatchObject({ next: null, moreFlags: 0, people: people.length })
  return body
}

type Found = Awaited<ReturnType<typeof evaluateAll>>

/** The same comparison by hand. */
function compare(flag: string, before: Found, after: Found) {
  const sum = { people: 0, sessions: 0, sessionsWithErrors: 0, exposed: 0, moves: new Map<string, number>() }
  for (const key of people) {
    const [was, is] = [before.get(key)?.[flag], after.get(key)?.[flag]]
    if (was === is) continue
    const visit = visits.get(key)
    sum.people += 1
    sum.sessions += visit?.sessions ?? 0
    sum.sessionsWithErrors += visit?.errors ?? 0
    sum.exposed += visit?.read.includes(flag) ? 1 : 0
    sum.moves.set(`${was} ${is}`, (sum.moves.get(`${was} ${is}`) ?? 0) + 1)
  }
  return sum
}

function reported(
  changes: { moves: { from: string; to: string; people: number }[] } & Record<string, unknown>,
) {
  const { people: count, sessions, sessionsWithErrors, exposed, moves } = changes
  return {
    people: count,
    sessions,
    sessionsWithErrors,
    exposed,
    moves: new Map(moves.map((move) => [`${move.from} ${move.to}`, move.people])),
  }
}

const all = ['checkout', 'above']
const changed = {
  prerequisites: [{ flag: 'base', variation: 'on' }],
  rules: [
    {
      when: { match: 'all', of: [{ attribute: 'age', operator: 'less', value: 30 }] },
      serve: { variation: 'on' },
    },
    {
      when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'nobody' }] },
      serve: { variation: 'off' },
    },
  ],
  fallthrough: half(90_000),
}

test('a draft affects the same users as after saving, and dependent flags', async () => {
  const before = await evaluateAll(all)
  const found = await preview({ flag: 'checkout', draft: draftOf(changed) })
  expect(await evaluateAll(all), 'a look changes nothing').toEqual(before)
  await save('checkout', changed)
  const after = await evaluateAll(all)

  expect(found.flags.map(({ flag }: { flag: string }) => flag)).toEqual(all)
  for (const one of found.flags) expect(reported(one)).toEqual(compare(one.flag, before, after))
  const [checkout] = found.flags
  expect(checkout.people).toBeGreaterThan(15)
  expect(checkout.exposed).toBeGreaterThan(3)
  expect(checkout.rules[0]).toBeGreaterThan(5)
  expect(checkout.rules[1], 'a rule that matches nobody').toBe(0)
  expect(checkout.examples).toHaveLength(10)
  expect(checkout.devices.length).toBeGreaterThan(0)
  expect(found.sessions).toBe([...visits.values()].reduce((sum, one) => sum + one.sessions, 0))
})

test('a segment affects the flags whose rules reference it', async () => {
  await save('checkout', {
    rules: [
      {
        when: { match: 'none', of: [{ operator: 'in-segment', segment: 'paying' }] },
        serve: { variation: 'on' },
      },
    ],
  })
  const before = await evaluateAll(all)
  const when = { match: 'all', of: [{ attribute: 'plan', operator: 'in', values: ['company', 'team'] }] }
  const found = await preview({ segment: 'paying', when })
  await done('PATCH', '/api/v1/projects/shop/segments/paying', { when })
  const after = await evaluateAll(all)
  expect(found.flags.map(({ flag }: { flag: string }) => flag)).toEqual(all)
  for (const one of found.flags) expect(reported(one)).toEqual(compare(one.flag, before, after))
  expect(found.flags[0].people).toBeGreaterThan(5)
})

test('an invalid change is rejected with the same faults as saving', async () => {
  const wrong = await ask('POST', radiusUrl, {
    change: { flag: 'checkout', draft: draftOf({ fallthrough: half(1) }) },
  })
  expect(wrong.status).toBe(200)
  const weights = { split: [{ variation: 'on', weight: 5 }] }
  const refused = await ask('POST', radiusUrl, {
    change: { flag: 'checkout', draft: draftOf({ fallthrough: weights }) },
  })
  expect(refused.body).toMatchObject({ status: 422, type: '/errors/invalid-weights' })
  const unknown = await ask('POST', radiusUrl, { change: { flag: 'nowhere', draft: draftOf({}) } })
  expect(unknown.status).toBe(404)
  const cursor = await ask('POST', radiusUrl, { change: { flag: 'base', draft: draftOf({}) }, cursor: 'x' })
  expect(cursor.body).toMatchObject({ status: 400, type: '/errors/invalid-request' })
})

test('many users come in pages that add up, without duplicates or gaps', async () => {
  const crowd = 75_000
  await stage.telltale.running.services.db.execute(sql`
    INSERT INTO identities (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
    SELECT ${stage.environment}::uuid, 'crowd-' || n || chr(233), jsonb_build_object('plan', 'free', 'number', n), now(), now()
    FROM generate_series(1, ${crowd}::int) AS n`)
  const when = { match: 'all', of: [{ attribute: 'number', operator: 'greater', value: crowd / 4 }] }
  const draft = draftOf({ rules: [{ when, serve: { variation: 'on' } }] })
  await save('base', {})
  let seen = 0
  let moved = 0
  let parts = 0
  for (let cursor: string | null | undefined; cursor !== null; parts += 1) {
    const body = await done('POST', radiusUrl, { change: { flag: 'base', draft }, ...(cursor && { cursor }) })
    expect(body.total).toBeGreaterThanOrEqual(crowd)
    seen += body.people
    moved += body.flags[0].people
    cursor = body.next
  }
  expect(seen).toBe(crowd + people.length)
  expect(moved).toBe((crowd * 3) / 4)
  expect(parts, 'a short one first').toBe(3)
})
