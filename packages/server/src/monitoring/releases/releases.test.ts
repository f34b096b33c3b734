// Versions of the application on the real engines: counts by hand, issues of each version, pages and refusals.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import { noteIssues } from '../issues/note-issues.ts'

let stage: IntakeStage
const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const base = `${environments}/development`

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const get = (path: string) => stage.telltale.request('GET', `${base}/${path}`, { as: stage.owner })

interface Visit {
  versions: readonly string[]
  user?: string
  /** The version whose view throws. */
  fails?: string
  handled?: boolean
  where?: string
}

/** One session, with a view in each of its versions, a second apart. */
async function visit({ versions, user = newId(), fails, handled = false, where = 'pay' }: Visit) {
  const session = newId()
  const stack = `TypeError: no\n    at ${where} (https://shop.example/app.js:1:200)`
  const lines = versions.flatMap((version, index): Line[] => [
    context({ index, session, version, anonymousId: user }),
    event('view', { context: index, at: Date.now() - (versions.length - index) * 1_000 }),
    ...(fails === version
      ? [
          event('error', {
            ...{ context: index, source: 'uncaught', type: 'TypeError', message: 'no', stack },
            ...{ handled, at: Date.now() - (versions.length - index) * 1_000 + 10 },
          }),
        ]
      : []),
  ])
  expect(await stage.post(toLines(lines), { headers: { 'user-agent': chrome } })).toMatchObject({
    status: 202,
  })
  await stage.untilStored(session, lines.length - versions.length)
}

test('an environment without telemetry has no releases', async () => {
  expect((await get('releases')).body).toEqual({ items: [], next: null })
  expect((await get('releases/adoption')).body).toMatchObject({ versions: [] })
})

test('each version has its sessions, users and crash-free shares; an error that was caught is no crash', async () => {
  await visit({ versions: ['1.0'], user: 'ana', fails: '1.0' })
  await visit({ versions: ['1.0'], user: 'ana' })
  await visit({ versions: ['1.0'], user: 'ben', fails: '1.0', handled: true, where: 'ship' })
  await visit({ versions: ['1.0'], user: 'cleo' })
  // Updates while it runs, and crashes afterwards: the older version did not crash.
  await visit({ versions: ['1.0', '1.1'], user: 'dan', fails: '1.1', where: 'load' })
  await visit({ versions: ['1.1'], user: 'eve' })
  await visit({ versions: [''], user: 'no version' })

  const { body } = await get('releases')
  expect(body.items.map(({ version }: Line) => version)).toEqual(['1.1', '1.0'])
  const [newer, older] = body.items
  expect(older).toMatchObject({ sessions: 5, users: 4, crashFreeSessions: 0.8, crashFreeUsers: 0.75 })
  expect(newer).toMatchObject({ sessions: 2, users: 2, crashFreeSessions: 0.5, crashFreeUsers: 0.5 })
  expect(older.adoption).toBeCloseTo(5 / 6)
  expect(newer.adoption).toBeCloseTo(2 / 6)
  expect(Date.parse(newer.firstSeenAt)).toBeGreaterThan(Date.parse(older.firstSeenAt))
})

test('issues count for the version they were first seen in, and for the one they came back in', async () => {
  await noteIssues(stage.telltale.running.services)
  const first = (await get('releases')).body.items
  expect(first).toMatchObject([
    { version: '1.1', newIssues: 1, regressedIssues: 0 },
    { version: '1.0', newIssues: 2, regressedIssues: 0 },
  ])
  const pay = (await get('issues?search=pay')).body.items[0]
  const resolved = await stage.telltale.request('PATCH', `${base}/issues/${pay.id}`, {
    as: stage.owner,
    body: { state: 'resolved' },
  })
  expect(resolved.status).toBe(200)
  await visit({ versions: ['1.2'], user: 'finn', fails: '1.2' })
  await noteIssues(stage.telltale.running.services)
  const [newest] = (await get('releases')).body.items
  expect(newest).toMatchObject({ version: '1.2', newIssues: 0, regressedIssues: 1 })
  const { body } = await get('release?version=1.2')
  expect(body).toMatchObject({
    version: '1.2',
    previous: '1.1',
    sessions: 1,
    issues: [{ id: pay.id, kind: 'regressed', state: 'regressed' }],
  })
})

test('one release has its sessions over time, and the version before it', async () => {
  const { body } = await get('release?version=1.0')
  const total = (name: string) =>
    body.series.reduce((sum: number, point: Record<string, number>) => sum + (point[name] ?? 0), 0)
  expect(body.previous).toBeNull()
  expect([total('sessions'), total('crashed'), total('all')]).toEqual([5, 1, 7])
  expect((await get('release?version=1.1')).body.previous).toBe('1.0')
  const adoption = (await get('releases/adoption')).body
  expect(adoption.versions).toEqual(['1.0', '1.1', '1.2'])
  const sums = adoption.series.reduce(
    (sum: number[], { sessions }: { sessions: number[] }) =>
      sum.map((value, index) => value + (sessions[index] ?? 0)),
    [0, 0, 0],
  )
  expect(sums).toEqual([5, 2, 1])
})

test('a release outside of the period has zeros, and an unknown one is not found', async () => {
  const early = 'from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z'
  expect((await get(`release?version=1.0&${early}`)).body).toMatchObject({
    sessions: 0,
    crashFreeSessions: null,
    adoption: null,
  })
  expect((await get('release?version=9.9')).status).toBe(404)
  expect((await get(`releases?${early}`)).body.items).toEqual([])
})

test('pages list every release once in each order, filtered and found by text', async () => {
  for (const sort of ['first-seen', 'sessions', 'users', 'crashes']) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { items: { version: string }[]; next: string | null } } = await get(
        `releases?limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...body.items.map(({ version }) => version))
      cursor = body.next
    }
    expect(seen.toSorted()).toEqual(['1.0', '1.1', '1.2'])
  }
  expect((await get('releases?search=1.1')).body.items).toMatchObject([{ version: '1.1' }])
  expect((await get('releases?filter=user:ana')).body.items).toMatchObject([{ version: '1.0', sessions: 2 }])
  expect((await get('releases?cursor=nonsense')).status).toBe(400)
})
