// A small demo on the real engine: a number that two screens show is the same on both, whatever is filtered, and every error
// that the invented week has opens with the code of the shop.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { demo } from '../../demo/demo.ts'
import { type SomePerson, startTelltale, type Telltale } from '../start.ts'

const production = '/api/v1/projects/storefront/environments/production'
const patience = 60_000
// An issue names no suspect with fewer than 50 users. Of 900 visits, 38 to 53 users got the new checkout.
const settings = {
  TELLTALE_DEMO: 'on',
  TELLTALE_DEMO_VISITS: '1500',
  TELLTALE_DEMO_VISITORS: 'off',
  TELLTALE_MANAGEMENT_RATE: '100000',
}
const day = 86_400_000

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
type Answer = any
type Query = Record<string, string | number>

let telltale: Telltale
let owner: SomePerson
let period: { from: string; to: string }

beforeAll(async () => {
  const shop = join(import.meta.dirname, '../../demo/dist/shop/index.html')
  if (!existsSync(shop)) throw new Error('The shop is not built: npm run build')
  let events = 0
  telltale = await startTelltale({
    telemetry: true,
    settings,
    demo: {
      ...demo,
      *generateHistory(options) {
        for (const visit of demo.generateHistory(options)) {
          events += visit.batch.lines.split('\n').filter(isStored).length
          yield visit
        }
      },
    },
  })
  await telltale.running.demo?.ready()
  owner = await telltale.person({ role: 'owner' })
  const { telemetry } = telltale.running.services
  const countStored = async () =>
    Number((await telemetry.read<{ n: string }>('SELECT count() AS n FROM events'))[0]?.n)
  await vi.waitUntil(async () => (await countStored()) === events, { timeout: patience, interval: 200 })
  const now = Date.now()
  period = { from: new Date(now - 8 * day).toISOString(), to: new Date(now + day / 24).toISOString() }
}, 2 * patience)
afterAll(() => telltale?.[Symbol.asyncDispose]())

const isStored = (line: string) => line !== '' && !/^\{"kind":"(?:context|view_state)"/.test(line)

async function ask(path: string, query: Query = {}): Promise<Answer> {
  const requested = new URLSearchParams(
    Object.entries({ ...period, ...query }).map(([name, value]) => [name, String(value)]),
  )
  const { status, body } = await telltale.request('GET', `${production}/${path}?${requested}`, { as: owner })
  expect({ path, query, status, body }).toMatchObject({ status: 200 })
  return body
}

async function askAll(path: string, query: Query = {}): Promise<Answer[]> {
  const found: Answer[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await ask(path, { limit: 200, ...query, ...(cursor && { cursor }) })
    found.push(...page.items)
    cursor = page.next
  }
  return found
}

const sum = (rows: Answer[], name: string) => rows.reduce((total, row) => total + row[name], 0)
const total = async (query: Query) => (await ask('explore', query)).total.value

const filters = ['', 'browser:Safari -country:DE', 'flag:checkout-v2=one-page', 'page:/checkout']

describe.each(filters)('with the filter "%s"', (filter) => {
  const filtered: Query = filter === '' ? {} : { filter }

  test('views and errors are the same on the overview, the pages, explore and the errors', async () => {
    const { now, series } = await ask('overview', filtered)
    const pages = await askAll('pages', filtered)
    const issues = await askAll('issues', filtered)
    expect(now.views).toBeGreaterThan(0)
    expect({
      series: sum(series, 'views'),
      pages: sum(pages, 'views'),
      explore: await total({ ...filtered, kind: 'view' }),
    }).toEqual({ series: now.views, pages: now.views, explore: now.views })
    expect({
      series: sum(series, 'errors'),
      pages: sum(pages, 'errors'),
      explore: await total({ ...filtered, kind: 'error' }),
      issues: sum(issues, 'events'),
      parts: sum(
        issues.map((issue) => ({ events: issue.series.reduce((all: number, one: number) => all + one, 0) })),
        'events',
      ),
    }).toEqual({
      series: now.errors,
      pages: now.errors,
      explore: now.errors,
      issues: now.errors,
      parts: now.errors,
    })
    const { facets } = await ask('explore/facets', { ...filtered, fields: 'kind', top: 10 })
    const counts = Object.fromEntries(facets[0].values.map(({ value, count }: Answer) => [value, count]))
    if (!filter.includes('kind')) expect(counts.view).toBe(now.views)
  })

  test('sessions and users are the same on the overview, the sessions and explore', async () => {
    const { now, series } = await ask('overview', filtered)
    const listed = await askAll('sessions', filtered)
    const begun = await ask('sessions/series', filtered)
    const facets = await ask('sessions/facets', { ...filtered, fields: 'errors' })
    expect({
      overTime: sum(series, 'sessions'),
      listed: listed.length,
      begun: begun.sessions,
      facets: facets.sessions,
      explore: await total({ ...filtered, measure: 'sessions' }),
    }).toEqual({
      overTime: now.sessions,
      listed: now.sessions,
      begun: now.sessions,
      facets: now.sessions,
      explore: now.sessions,
    })
    expect(await total({ ...filtered, measure: 'users' })).toBe(now.users)
    const some = facets.facets[0].values.find(({ value }: Answer) => value === 'some')?.count ?? 0
    expect({ begun: begun.withErrors, facets: some, overview: now.sessionsWithError * now.sessions }).toEqual(
      {
        begun: some,
        facets: some,
        overview: expect.closeTo(some, 6),
      },
    )
    expect(listed.filter(({ errors }) => errors > 0)).toHaveLength(some)
  })

  test('vitals are the same on the overview, the pages and explore', async () => {
    const { now } = await ask('overview', filtered)
    for (const { name, count, p75 } of now.vitals) {
      const field = name.toLowerCase()
      const { total: found } = await ask('explore', { ...filtered, measure: 'p75', field, kind: 'vital' })
      expect({ name, p75: found.value, count: found.events }).toEqual({ name, p75, count })
    }
    const [page] = (await ask('pages', { ...filtered, limit: 1 })).items
    const { vitals, ...own } = await ask('page', { ...filtered, page: page.page })
    expect(vitals.map(({ bins: _, boundaries: __, ...vital }: Answer) => vital)).toEqual(page.vitals)
    expect(own).toMatchObject({ views: page.views, sessions: page.sessions, errors: page.errors })
  })

  test('requests are the same in their list, opened, and in explore', async () => {
    const listed = await askAll('requests', filtered)
    const chips = `${filter} kind:resource endpoint:*`.trim()
    expect({
      count: await total({ filter: chips }),
      failed: await total({ filter: `${chips} failed:true` }),
    }).toEqual({ count: sum(listed, 'count'), failed: sum(listed, 'failed') })
    const [first] = listed
    const { method, host, endpoint, count, failed, p75 } = first
    expect(await ask('request', { ...filtered, method, host, endpoint })).toMatchObject({
      count,
      failed,
      p75,
    })
  })

  test('an issue has the same numbers in the list, opened, and where it is a filter', async () => {
    const issues = await askAll('issues', { ...filtered, sort: 'events' })
    for (const { id, group, events, sessions, users, lift } of issues.slice(0, 4)) {
      const one = await ask(`issues/${id}`, filtered)
      expect(one).toMatchObject({ id, events, sessions, users })
      expect(sum(one.points, 'events')).toBe(events)
      expect(sum(one.slices.browser, 'events')).toBe(events)
      expect(lift === null || one.lifts[0].flag === lift.flag).toBe(true)
      const about = { filter: `${filter} issue:${group}`.trim() }
      expect(await total(about)).toBe(events)
      expect(await total({ ...about, measure: 'users' })).toBe(users)
      expect(await total({ ...about, measure: 'sessions' })).toBe(sessions)
      const met = await askAll('sessions', about)
      expect(met.length).toBe((await ask('sessions/series', about)).sessions)
      expect((await askAll(`issues/${id}/events`, filtered)).length).toBe(events)
    }
  })
})

test('new errors on the overview are new in the list, with the same numbers', async () => {
  const from = new Date(Date.now() - 5 * day).toISOString()
  const { errors } = await ask('overview/new-errors', { from, limit: 50 })
  const listed = await askAll('issues', { from })
  const fresh = listed.filter(({ firstSeenAt }) => firstSeenAt >= from)
  const numbersOf = (id: string, events: number, sessions: number) => ({ id, events, sessions })
  const byId = (left: Answer, right: Answer) => (left.id < right.id ? -1 : 1)
  expect(errors.map((one: Answer) => numbersOf(one.id, one.count, one.sessions)).sort(byId)).toEqual(
    fresh.map((one) => numbersOf(one.id, one.events, one.sessions)).sort(byId),
  )
})

test('every error with a stack opens with the line of the shop that threw it', async () => {
  const issues = await askAll('issues')
  const withStack = issues.filter(({ message }) => !message.startsWith('ResizeObserver'))
  expect(withStack.length).toBeGreaterThanOrEqual(5)
  for (const { id, culprit } of withStack) {
    const { event } = await ask(`issues/${id}/events/newest`)
    const [frame] = event.frames
    expect(frame).toMatchObject({ why: null, original: { code: { lines: expect.any(Array) } } })
    expect(frame.original.file).toMatch(/shop\/.*\.tsx?$/)
    expect(culprit).toContain(frame.original.file.replace(/^[./]+/, ''))
  }
  const checkout = withStack.find(({ message }) => message.includes('scheduler'))
  const { event } = await ask(`issues/${checkout.id}/events/newest`)
  const { code, line } = event.frames[0].original
  expect(code.lines[line - code.first]).toContain('void scheduler.postTask(pay)')
  const { lifts } = await ask(`issues/${checkout.id}`)
  const ofOnePage = lifts.find(({ variation }: Answer) => variation === 'one-page')
  expect(ofOnePage).toMatchObject({ flag: 'checkout-v2', otherHits: 0 })
  expect(ofOnePage.ratio).toBeGreaterThan(1)
})

test('some are decided, and one resolved too early has regressed', async () => {
  const find = async (message: string) => (await ask('issues', { search: message })).items[0]
  await expect.poll(async () => (await find('price'))?.state, { timeout: patience }).toBe('resolved')
  await expect
    .poll(async () => (await find('does not answer'))?.state, { timeout: patience })
    .toBe('regressed')
  await expect
    .poll(async () => (await find('scheduler'))?.assignee?.name, { timeout: patience })
    .toBe('Mara Oduya')
})

test("the stages on a rollout's chart follow its decisions", async () => {
  const rollouts = '/api/v1/projects/storefront/rollouts'
  const { body: listed } = await telltale.request('GET', rollouts, { as: owner })
  expect(listed.items).toHaveLength(5)
  for (const { id } of listed.items) {
    const { body: history } = await telltale.request('GET', `${rollouts}/${id}/history`, { as: owner })
    const { body: decisions } = await telltale.request('GET', `${rollouts}/${id}/decisions`, { as: owner })
    const advanced = decisions.items.filter(({ action }: Answer) => action === 'advance')
    expect(history.items.length).toBeGreaterThan(3)
    // A decision ends the stage it is about.
    const between = history.items.filter(({ at }: Answer) =>
      decisions.items.every((decision: Answer) => decision.at !== at),
    )
    for (const { at, stage } of between)
      expect({ at, stage }).toEqual({ at, stage: advanced.filter((one: Answer) => one.at <= at).length })
  }
})

test('about a tenth of the sessions is recorded, with replays of the outage', async () => {
  const sessions = await total({ measure: 'sessions' })
  const recorded = await total({ measure: 'sessions', filter: 'replay:true' })
  expect(recorded / sessions).toBeGreaterThan(0.07)
  expect(recorded / sessions).toBeLessThan(0.15)
  const [outage] = (await ask('issues', { search: 'does not answer' })).items
  expect(await total({ measure: 'sessions', filter: `replay:true issue:${outage.group}` })).toBeGreaterThan(0)
})

test('what the shop earns is measured, and its deploys are marks', async () => {
  const { body } = await telltale.request('GET', '/api/v1/projects/storefront/metrics', { as: owner })
  const own = body.items.filter(({ builtIn }: Answer) => !builtIn)
  expect(own.map(({ key }: Answer) => key).sort()).toEqual([
    'order-value',
    'revenue-per-user',
    'users-who-order',
  ])
  const { deploys } = await ask('deploys')
  expect(deploys.map(({ version }: Answer) => version)).toEqual(['3.8.4', '3.9.0'])
  const { items: releases } = await ask('releases')
  expect(releases.map(({ version }: Answer) => version)).toEqual(['3.9.0', '3.8.4'])
})

test('of its two experiments, one has ended with its results and one goes on', async () => {
  const list = '/api/v1/projects/storefront/experiments'
  const read = async (path: string) => (await telltale.request('GET', path, { as: owner })).body
  const [running, ended] = (await read(list)).items
  expect([running, ended]).toMatchObject([
    { flag: 'checkout-v2', state: 'running', decision: null },
    { flag: 'cart-summary', state: 'ended', decision: { variation: 'on' } },
  ])
  // The results are kept once the history is there.
  const kept = await vi.waitUntil(
    async () => {
      const { arms } = await read(`${list}/${ended.id}/results`)
      return arms.length > 0 && arms
    },
    { timeout: patience, interval: 500 },
  )
  for (const [{ units, goals }] of [kept, (await read(`${list}/${running.id}/results`)).arms]) {
    expect(Math.min(units.treatment, units.control)).toBeGreaterThan(30)
    const keys = goals.map(({ metric }: Answer) => metric)
    expect(keys).toEqual(expect.arrayContaining(['revenue-per-user', 'users-who-order']))
    for (const { metric, values } of goals)
      expect({ metric, value: values.control }).not.toEqual({ metric, value: 0 })
    const windowed = goals.filter(({ window }: Answer) => window !== null)
    for (const { units: counted, waiting } of windowed)
      expect(Math.min(counted.control, waiting.control)).toBeGreaterThan(0)
    expect(windowed).toHaveLength(units === kept[0].units ? 0 : 2)
  }
})

test('every tile of its dashboard has data', async () => {
  const { body } = await telltale.request('GET', '/api/v1/projects/storefront/dashboards', { as: owner })
  const [{ id }] = body.items
  const path = `/api/v1/projects/storefront/dashboards/${id}`
  const { body: dashboard } = await telltale.request('GET', path, { as: owner })
  for (const { id: tile, kind, title } of dashboard.tiles) {
    const data = await ask(`dashboards/${id}/tiles/${tile}`)
    expect({ title, kind: data.kind }).toEqual({ title, kind })
    if (kind === 'explore') expect({ title, value: data.now.total.value }).not.toEqual({ title, value: 0 })
  }
})
