// Errors as browsers send them, on the real engines: grouping into issues, decisions of members, and
// regressions.

import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import { issues as issueTable } from '../../platform/engines/postgres/issue-schema.ts'
import { noteIssues } from './note-issues.ts'

let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const issues = `${environments}/development/issues`

interface Visit {
  fails?: string
  version?: string
  flags?: Record<string, string>
  browser?: string
  /** The hash in the file names of a bundle. */
  build?: string
}

const browsers = {
  Chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  Firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** One user's session: a view and, if it fails, one error thrown in the named function. */
async function visit({ fails, version = '', flags = {}, browser = 'Chrome', build = 'a1b2c3d4' }: Visit) {
  const session = newId()
  const reads = Object.entries(flags).map(([flag, variation]) => ({ flag, variation }))
  const error = event('error', {
    source: 'uncaught',
    type: 'TypeError',
    message: `${fails} is not a function at ${session}`,
    stack: `TypeError: no\n    at ${fails} (https://shop.example/app-${build}.js:1:200)\n    at https://shop.example/app-${build}.js:1:9`,
    handled: false,
  })
  const lines: Line[] = [context({ session, version, reads, anonymousId: session }), event('view')]
  if (fails !== undefined) lines.push(error)
  const headers = { 'user-agent': browser === 'Firefox' ? browsers.Firefox : browsers.Chrome }
  expect(await stage.post(toLines(lines), { headers })).toMatchObject({ status: 202 })
  await stage.untilStored(session, lines.length - 1)
  return session
}

async function list(query = ''): Promise<Line[]> {
  const { status, body } = await stage.telltale.request('GET', `${issues}${query}`, { as: stage.owner })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.items
}

async function find(name: string): Promise<Line> {
  const found = (await list(`?search=${name}`))[0]
  if (found === undefined) throw new Error(`no issue of ${name}`)
  return found
}

const changeOne = (issue: Line, body: Line) =>
  stage.telltale.request('PATCH', `${issues}/${issue.id}`, { as: stage.owner, body })

const look = () => noteIssues(stage.telltale.running.services)

test('the same location is one issue in every build, another location another one', async () => {
  await visit({ fails: 'pay', version: '1.0', build: 'aaaaaaaa' })
  await Promise.all([
    visit({ fails: 'pay', version: '1.1', build: 'bbbbbbbb' }),
    visit({ fails: 'ship', version: '1.1' }),
  ])
  const found = await list('?sort=first-seen')
  expect(found.map(({ culprit }) => culprit)).toEqual([
    'ship in https://shop.example/app-a1b2c3d4.js',
    expect.stringContaining('pay in '),
  ])
  expect(found[1]).toMatchObject({
    type: 'TypeError',
    state: 'unresolved',
    events: 2,
    sessions: 2,
    users: 2,
    firstSeenVersion: '1.0',
    lastSeenVersion: '1.1',
  })
  const { body } = await stage.telltale.request('GET', `${issues}/${found[1]?.id}`, { as: stage.owner })
  expect(body).toMatchObject({ lastSeenVersion: '1.1', lastSeenAt: found[1]?.lastSeenAt })
  const series = found[1]?.series
  expect(Array.isArray(series) && series.reduce((sum, count) => sum + count, 0)).toBe(2)
})

test('a second look, or a second server, creates no second issue', async () => {
  const [again, beside] = await Promise.all([list(), list()])
  expect(again.map(({ id }) => id)).toEqual(beside.map(({ id }) => id))
})

test('pages list every issue once, in any order', async () => {
  await Promise.all(['one', 'two', 'three'].map((name) => visit({ fails: name })))
  for (const sort of ['users', 'events', 'last-seen', 'first-seen']) {
    const seen: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const address: string = `${issues}?limit=2&sort=${sort}${cursor && `&cursor=${cursor}`}`
      const { body } = await stage.telltale.request('GET', address, { as: stage.owner })
      seen.push(...body.items.map(({ id }: Line) => id))
      cursor = body.next
    }
    expect(new Set(seen).size).toBe(5)
    expect(seen).toHaveLength(5)
  }
})

test('a resolved issue stays resolved for old clients, and regresses in a new version', async () => {
  const issue = await find('pay')
  const resolved = await changeOne(issue, { state: 'resolved' })
  expect(resolved.body).toMatchObject({ state: 'resolved', resolvedIn: '1.1', version: 2 })
  await visit({ fails: 'pay', version: '1.0' })
  await look()
  expect((await find('pay')).state).toBe('resolved')

  await visit({ fails: 'pay', version: '1.2' })
  await look()
  expect((await find('pay')).state).toBe('regressed')
  const { body } = await stage.telltale.request('GET', '/api/v1/projects/shop/audit', { as: stage.owner })
  expect(body.items.map(({ action }: Line) => action)).toEqual(
    expect.arrayContaining(['issue.resolve', 'issue.regress']),
  )
})

test('an issue ignored until a time is open again afterwards', async () => {
  const issue = await find('ship')
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await changeOne(issue, { state: 'ignored', ignoredUntil: until })
  expect((await list('?state=open')).map(({ id }) => id)).not.toContain(issue.id)
  stage.telltale.passTime(3_700_000)
  expect((await list('?state=open')).map(({ id }) => id)).toContain(issue.id)
})

test('invalid transitions, a non-member as assignee, and an old version are rejected', async () => {
  const issue = await find('one')
  await changeOne(issue, { state: 'ignored' })
  expect(await changeOne(issue, { state: 'resolved' })).toMatchObject({ status: 400 })
  expect(await changeOne(issue, { assignee: newId() })).toMatchObject({ status: 400 })
  const old = { as: stage.owner, body: { state: 'unresolved' }, headers: { 'if-match': '"1"' } }
  expect(await stage.telltale.request('PATCH', `${issues}/${issue.id}`, old)).toMatchObject({ status: 409 })
  expect(await changeOne(issue, { assignee: stage.owner.id })).toMatchObject({
    body: { assignee: { id: stage.owner.id } },
  })
})

test('its breakdown, and its suspects, match a direct count', async () => {
  const visits = Array.from({ length: 12 }, (_, person) => {
    const variation = person % 2 === 0 ? 'new' : 'old'
    const fails = person % 2 === 0 && person !== 0 ? 'search' : undefined
    const browser = person % 3 === 0 ? 'Firefox' : 'Chrome'
    return visit({ ...(fails && { fails }), browser, flags: { engine: variation, theme: 'dark' } })
  })
  await Promise.all(visits)
  const { id } = await find('search')
  const { body } = await stage.telltale.request('GET', `${issues}/${id}`, { as: stage.owner })
  expect(body).toMatchObject({ events: 5, sessions: 5, users: 5 })
  expect(body.slices.flags).toEqual([
    { value: 'engine=new', events: 5, sessions: 5 },
    { value: 'theme=dark', events: 5, sessions: 5 },
  ])
  expect(body.slices.browser).toEqual([
    { value: 'Chrome', events: 4, sessions: 4 },
    { value: 'Firefox', events: 1, sessions: 1 },
  ])
  expect(body.lifts, 'six users with each are too few to name a flag').toEqual([])
})

test('its errors are listed individually, with the frames of their stacks', async () => {
  const { id } = await find('search')
  const first = await stage.telltale.request('GET', `${issues}/${id}/events?limit=3`, { as: stage.owner })
  expect(first.body.items).toHaveLength(3)
  expect(first.body.items[0]).toMatchObject({
    source: 'uncaught',
    handled: false,
    frames: [
      { function: 'search', file: 'https://shop.example/app-a1b2c3d4.js', line: 1, column: 200 },
      { function: '', line: 1, column: 9 },
    ],
  })
  const rest = await stage.telltale.request(
    'GET',
    `${issues}/${id}/events?limit=3&cursor=${first.body.next}`,
    { as: stage.owner },
  )
  expect(rest.body.items).toHaveLength(2)
})

test('an empty change does nothing', async () => {
  const issue = await find('search')
  expect(await changeOne(issue, {})).toMatchObject({ status: 200, body: { version: issue.version } })
})

const change = (body: Line) => stage.telltale.request('PATCH', issues, { as: stage.owner, body })

test('many are changed together, idempotently; failures are reported individually', async () => {
  const found = await Promise.all(['two', 'three', 'one'].map(find))
  const ids = found.map(({ id }) => id)
  const decide = () => change({ issues: [...ids, missing], state: 'resolved', assignee: stage.owner.id })
  const missing = newId()
  const { status, body } = await decide()
  expect(status).toBe(200)
  expect(body.issues.map(({ id, state }: Line) => [id, state]).sort()).toEqual(
    ids
      .slice(0, 2)
      .map((id) => [id, 'resolved'])
      .sort(),
  )
  expect(body.refused.map(({ id }: Line) => id).sort()).toEqual([ids[2], missing].sort())
  expect(body.refused).toContainEqual({
    id: ids[2],
    message: 'an issue that is ignored cannot become resolved',
  })

  const countEntries = async () => {
    const audit = await stage.telltale.request('GET', '/api/v1/projects/shop/audit', { as: stage.owner })
    return audit.body.items.length
  }
  const before = await countEntries()
  expect((await decide()).body.issues).toEqual(body.issues)
  expect(await countEntries()).toBe(before)
  const viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
  const refused = await stage.telltale.request('PATCH', issues, {
    as: viewer,
    body: { issues: ids, state: 'unresolved' },
  })
  expect(refused.status).toBe(403)
})

test('filters restrict the counts, and states are counted beside the selected one', async () => {
  const query = (text: string) => `?filter=${encodeURIComponent(text)}`
  const firefox = (await list(query('browser:Firefox'))).filter(({ culprit }) =>
    String(culprit).includes('search'),
  )
  expect(firefox).toMatchObject([{ events: 1, sessions: 1, users: 1 }])
  const none = await stage.telltale.request('GET', `${issues}${query('browser:Opera')}`, { as: stage.owner })
  expect(none.body).toMatchObject({ items: [], next: null })
  const wrong = await stage.telltale.request('GET', `${issues}${query('nonsense:')}`, { as: stage.owner })
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '?filter' }] } })

  const shown = await stage.telltale.request('GET', `${issues}?state=ignored`, { as: stage.owner })
  const all = await stage.telltale.request('GET', issues, { as: stage.owner })
  expect(shown.body.states).toEqual(all.body.states)
  expect(shown.body.items).toHaveLength(shown.body.states.ignored)
  expect(all.body.states).toMatchObject({ resolved: 2, regressed: 1, ignored: 1 })
})

test('errors can be paged in both directions', async () => {
  const { id, group } = await find('search')
  const show = (event: unknown) =>
    stage.telltale.request('GET', `${issues}/${group}/events/${event}`, { as: stage.owner })
  const walked: unknown[] = []
  for (let event: unknown = 'newest'; event !== null; ) {
    const { body } = await show(event)
    walked.push(body.event.id)
    expect(body.newer).toBe(walked.at(-2) ?? null)
    event = body.older
  }
  const { body } = await stage.telltale.request('GET', `${issues}/${id}/events`, { as: stage.owner })
  expect(walked).toEqual(body.items.map((item: Line) => item.id))
  expect((await show('oldest')).body.event.id).toBe(walked.at(-1))
  expect((await show(newId())).status).toBe(404)
})

test('sampled sessions are weighted, and attributes of errors are separate', async () => {
  const staging = `${environments}/staging`
  const body = { allowedOrigins: [], sampling: { session: 50, replay: 0, profile: 0 } }
  await stage.telltale.request('PATCH', staging, { as: stage.owner, body })
  const key = await stage.clientKey('staging')
  const fail = (session: string, plan: string) => {
    const error = {
      source: 'reported',
      type: 'Error',
      message: 'sampled',
      handled: true,
      attributes: { plan },
    }
    const lines = toLines([context({ session, anonymousId: session }), event('error', error)])
    return stage.post(lines, { key, headers: { 'user-agent': browsers.Chrome } })
  }
  const left = '0198a2c4-0000-7000-8000-0000ffffffff'
  await expect.poll(async () => (await fail(left, 'club')).body.accepted, { timeout: 20_000 }).toBe(0)
  const kept = ['1', '2', '3'].map((last) => `0198a2c4-0000-7000-8000-00000000000${last}`)
  for (const [at, session] of kept.entries()) {
    expect((await fail(session, at === 0 ? 'basic' : 'club')).body.accepted).toBe(1)
    await stage.untilStored(session, 1)
  }
  const { body: listed } = await stage.telltale.request('GET', `${staging}/issues`, { as: stage.owner })
  expect(listed.items).toMatchObject([{ events: 6, sessions: 3, users: 3 }])
  const { id } = listed.items[0]
  const { body: shown } = await stage.telltale.request('GET', `${staging}/issues/${id}`, { as: stage.owner })
  expect(shown).toMatchObject({
    events: 6,
    sessions: 3,
    users: 3,
    attributes: [
      {
        name: 'plan',
        values: [
          { value: 'club', events: 4, sessions: 2 },
          { value: 'basic', events: 2, sessions: 1 },
        ],
      },
    ],
  })
})

test('more errors than become issues in a day are recorded, counted once and listed page by page', {
  timeout: 90_000,
}, async () => {
  const sessions: string[] = []
  for (let first = 0; first < 2_200; first += 100) {
    const session = newId()
    sessions.push(session)
    const some = Array.from({ length: 100 }, (_, at) =>
      event('error', {
        source: 'uncaught',
        type: 'Error',
        message: 'many',
        handled: false,
        stack: `Error\n    at many${first + at} (https://shop.example/app.js:1:1)`,
      }),
    )
    const headers = { 'user-agent': browsers.Chrome }
    expect(await stage.post(toLines([context({ session }), ...some]), { headers })).toMatchObject({
      status: 202,
    })
  }
  for (const session of sessions) await stage.untilStored(session, 100)
  // The server creates only a day's limit of issues automatically, because the public key lets anyone send errors.
  const { services } = stage.telltale.running
  const count = () => services.db.$count(issueTable, eq(issueTable.environmentId, stage.environment))
  for (let looks = 0; looks < 4; looks++) await look()
  expect(await count()).toBe(limits.issuesPerDay)
  await noteIssues({ ...services, clock: () => new Date(Date.now() + 25 * 3_600_000) })
  expect(await count()).toBeGreaterThan(limits.issuesPerDay)

  const seen = new Set<unknown>()
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 3; pages++) {
    const address: string = `${issues}?search=many&limit=200${cursor && `&cursor=${cursor}`}`
    const { status, body } = await stage.telltale.request('GET', address, { as: stage.owner })
    expect({ status, items: body.items?.length }).toEqual({ status: 200, items: 200 })
    expect(body.items[0]).toMatchObject({ events: 1, sessions: 1, users: 1 })
    expect(body.states.unresolved).toBeGreaterThanOrEqual(2_200)
    for (const { id } of body.items) seen.add(id)
    cursor = body.next
  }
  expect(seen.size).toBe(600)
})

test('other environments do not see it', async () => {
  const { id } = await find('search')
  const elsewhere = `${environments}/production/issues/${id}`
  expect(await stage.telltale.request('GET', elsewhere, { as: stage.owner })).toMatchObject({ status: 404 })
})
