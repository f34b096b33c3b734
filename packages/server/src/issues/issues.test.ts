// Errors as browsers send them, on the real engines: what is one issue, what people decide, and what brings it back.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../test/intake/visitor.ts'
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
  /** The hash that a bundler puts into the names of files. */
  build?: string
}

const browsers = {
  Chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  Firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** A session of one person: a view and, if it fails, one error thrown in the function of that name. */
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

const change = (issue: Line, body: Line) =>
  stage.telltale.request('PATCH', `${issues}/${issue.id}`, { as: stage.owner, body })

const look = () => noteIssues(stage.telltale.running.services)

test('the same place is one issue in every build, another place another one', async () => {
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
  const series = found[1]?.series
  expect(Array.isArray(series) && series.reduce((sum, count) => sum + count, 0)).toBe(2)
})

test('a second look, or a second server, makes no second issue', async () => {
  const [again, beside] = await Promise.all([list(), list()])
  expect(again.map(({ id }) => id)).toEqual(beside.map(({ id }) => id))
})

test('pages hold every issue once, whatever they are sorted by', async () => {
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

test('resolved, it stays so for old clients, and a new version brings it back', async () => {
  const issue = await find('pay')
  const resolved = await change(issue, { state: 'resolved' })
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

test('ignored until a moment, it is open again after it', async () => {
  const issue = await find('ship')
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await change(issue, { state: 'ignored', ignoredUntil: until })
  expect((await list('?state=open')).map(({ id }) => id)).not.toContain(issue.id)
  stage.telltale.passTime(3_700_000)
  expect((await list('?state=open')).map(({ id }) => id)).toContain(issue.id)
})

test('what cannot become of it, a stranger as assignee, and a version long gone are refused', async () => {
  const issue = await find('one')
  await change(issue, { state: 'ignored' })
  expect(await change(issue, { state: 'resolved' })).toMatchObject({ status: 400 })
  expect(await change(issue, { assignee: newId() })).toMatchObject({ status: 400 })
  const old = { as: stage.owner, body: { state: 'unresolved' }, headers: { 'if-match': '"1"' } }
  expect(await stage.telltale.request('PATCH', `${issues}/${issue.id}`, old)).toMatchObject({ status: 409 })
  expect(await change(issue, { assignee: stage.owner.id })).toMatchObject({
    body: { assignee: { id: stage.owner.id } },
  })
})

test('where it happens, and under which variation more often, as counted by hand', async () => {
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
  // One variation alone cannot be compared with others.
  expect(body.lifts.map(({ flag }: Line) => flag)).toEqual(['engine', 'engine'])
  expect(body.lifts[0]).toMatchObject({
    variation: 'new',
    sessions: 6,
    hits: 5,
    otherSessions: 6,
    otherHits: 0,
  })
  expect(body.lifts[0].lower).toBeLessThan(body.lifts[0].ratio)
})

test('its errors are there one by one, with the frames of their stack', async () => {
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

test('nothing to change changes nothing', async () => {
  const issue = await find('search')
  expect(await change(issue, {})).toMatchObject({ status: 200, body: { version: issue.version } })
})

test('hundreds of different errors are noted and listed', async () => {
  const session = newId()
  const failures = Array.from({ length: 600 }, (_, at) =>
    event('error', {
      source: 'uncaught',
      type: 'Error',
      message: 'many',
      stack: `Error\n    at many${at} (https://shop.example/app.js:1:1)`,
      handled: false,
    }),
  )
  const headers = { 'user-agent': browsers.Chrome }
  for (let first = 0; first < failures.length; first += 100) {
    const some = failures.slice(first, first + 100)
    expect(await stage.post(toLines([context({ session }), ...some]), { headers })).toMatchObject({
      status: 202,
    })
  }
  await stage.untilStored(session, failures.length)
  const { body } = await stage.telltale.request('GET', `${issues}?search=many&limit=200`, { as: stage.owner })
  expect(body.items).toHaveLength(200)
  expect(body.items[0]).toMatchObject({ events: 1, sessions: 1, users: 1 })
  expect(body.next).not.toBeNull()
})

test('nobody sees it in another environment', async () => {
  const { id } = await find('search')
  const elsewhere = `${environments}/production/issues/${id}`
  expect(await stage.telltale.request('GET', elsewhere, { as: stage.owner })).toMatchObject({ status: 404 })
})
