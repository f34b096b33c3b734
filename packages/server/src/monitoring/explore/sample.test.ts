// A sample has all events of some users, and each of them weighs as much as those that are left out.

import { emptyFilter, parseFilter } from '@telltale/core/query/filter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ByHandStage,
  from,
  ofKind,
  openByHandStage,
  timeZone,
  to,
} from '../../../../../test/telemetry/by-hand-stage.ts'
import { usersPerSampled } from '../../platform/engines/clickhouse/schema/events-sampled.ts'
import { getOverview } from '../overview/get-overview.ts'
import { getPage } from '../pages/get-page.ts'
import { listPageElements } from '../pages/list-page-parts.ts'
import { listPages } from '../pages/list-pages.ts'
import { getRequest } from '../requests/get-request.ts'
import { listRequests } from '../requests/list-requests.ts'
import { explore } from './explore.ts'
import { ask, type Question } from './question.ts'
import { chooseSample } from './sample.ts'
import { distinct, groupBy, percentileOf, vitalsOf, weigh } from './testing/count-by-hand.ts'
import type { SomeEvent } from './testing/some-events.ts'

let stage: ByHandStage
let question: Question
let sampled: Question
let read: SomeEvent[]

const isIn = ({ userHash }: { userHash: string }) => BigInt(userHash) % BigInt(usersPerSampled) === 0n

function hashOf({ userHash }: SomeEvent): string {
  const hash = BigInt(userHash)
  return String(hash % 3n === 0n ? hash * BigInt(usersPerSampled) : hash * BigInt(usersPerSampled) + 1n)
}

beforeAll(async () => {
  // The users of a sample are chosen by their hash: some of the invented ones get such a hash.
  stage = await openByHandStage((events) => events.map((event) => ({ ...event, userHash: hashOf(event) })))
  const { telemetry, environmentId } = stage
  question = ask(telemetry, { environmentId, timeZone, from, to, filter: emptyFilter })
  sampled = question.with({ isSampled: true })
  read = stage.seen.filter(isIn)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const sumOf = (ones: readonly { weight: number }[]) => ones.reduce((sum, { weight }) => sum + weight, 0)

test('a part of the users is read, with all of their events', () => {
  expect(read.length).toBeGreaterThan(100)
  expect(read.length).toBeLessThan(stage.seen.length - 100)
})

test('counts, users and sessions are those of the sample, multiplied', async () => {
  const find = async (measure: 'count' | 'users' | 'sessions') =>
    (await explore(sampled, { kind: 'view', measure })).total.value
  const views = ofKind(read, 'view')
  expect(await find('count')).toBe(usersPerSampled * weigh(views))
  expect(await find('users')).toBe(usersPerSampled * new Set(views.map((one) => one.userHash)).size)
  expect(await find('sessions')).toBe(usersPerSampled * new Set(views.map((one) => one.session)).size)
})

test('a filter narrows a sample as it narrows all events', async () => {
  const parsed = parseFilter('browser:Chrome')
  const filter = parsed.ok ? parsed.result : emptyFilter
  const views = ofKind(read, 'view').filter(({ browser }) => browser === 'Chrome')
  expect(views.length).toBeGreaterThan(0)
  const { total, sample } = await explore(sampled.with({ filter }), { kind: 'view', measure: 'count' })
  expect({ value: total.value, sample }).toEqual({
    value: usersPerSampled * weigh(views),
    sample: usersPerSampled,
  })
})

test('by variation, events of a sample count as all events do', async () => {
  const asked = { kind: 'view', measure: 'count', by: 'flag:checkout', top: 10 } as const
  const found = await explore(sampled, asked)
  const variationOf = ({ flags }: SomeEvent) =>
    flags.find((pair) => pair.startsWith('checkout='))?.slice('checkout='.length) ?? ''
  const counted = [...groupBy(ofKind(read, 'view'), variationOf)].map(([variation, views]) => [
    variation,
    usersPerSampled * weigh(views),
  ])
  expect(counted.length).toBeGreaterThan(1)
  expect(Object.fromEntries(found.groups.map(({ values, value }) => [values?.[0], value]))).toEqual(
    Object.fromEntries(counted),
  )
})

test('sessions of a sample are those of its users', async () => {
  const [found] = await sampled.read<{ sessions: number }>(
    `SELECT sum(weight) AS sessions FROM ${sampled.sessions()}`,
  )
  const own = stage.sessions.filter(({ events: [first] }) => first !== undefined && isIn(first))
  expect(found?.sessions).toBe(usersPerSampled * sumOf(own))
})

test('the overview of a sample', async () => {
  const { now, sample } = await getOverview(sampled, {})
  const own = stage.sessions.filter(({ events: [first] }) => first !== undefined && isIn(first))
  expect(sample).toBe(usersPerSampled)
  expect(now).toMatchObject({
    sessions: usersPerSampled * sumOf(own),
    users: usersPerSampled * new Set(own.map(({ events }) => events[0]?.userHash)).size,
    views: usersPerSampled * weigh(ofKind(read, 'view')),
    errors: usersPerSampled * weigh(ofKind(read, 'error')),
  })
})

const timesSample = <One extends { count: number }>(one: One) => ({
  ...one,
  count: one.count * usersPerSampled,
})

test('the pages of a sample, their vitals and elements', async () => {
  const { items, sample } = await listPages(sampled, {})
  expect(sample).toBe(usersPerSampled)
  expect(items.map(({ page }) => page).sort()).toEqual([...new Set(read.map(({ page }) => page))].sort())
  for (const { page, views, sessions, vitals } of items) {
    const own = read.filter((event) => event.page === page)
    const seen = ofKind(own, 'view')
    expect({ views, sessions, vitals }).toEqual({
      views: usersPerSampled * weigh(seen),
      sessions: usersPerSampled * distinct(seen, 'session'),
      vitals: vitalsOf(own).map(timesSample),
    })
    const one = await getPage(sampled, { page })
    expect(one).toMatchObject({ sample, views, sessions })
    expect(one.vitals.map(({ name, count }) => ({ name, count }))).toEqual(
      vitals.map(({ name, count }) => ({ name, count })),
    )
  }
  const { elements } = await listPageElements(sampled, { page: '/cart', vital: 'LCP' })
  const lcp = ofKind(read, 'vital').filter(({ page, name }) => page === '/cart' && name === 'LCP')
  expect(elements.length).toBeGreaterThan(0)
  for (const { element, count } of elements)
    expect(count).toBe(usersPerSampled * lcp.filter(({ target }) => target === element).length)
})

test('the requests of a sample', async () => {
  const { items, sample } = await listRequests(sampled, {})
  expect([sample, items.length > 0]).toEqual([usersPerSampled, true])
  for (const { method, host, endpoint, count, sessions, p75 } of items) {
    const own = ofKind(read, 'resource').filter(
      (one) => one.method === method && one.host === host && one.endpoint === endpoint,
    )
    expect({ count, sessions, p75 }).toEqual({
      count: usersPerSampled * weigh(own),
      sessions: usersPerSampled * distinct(own, 'session'),
      p75: percentileOf(
        own.map(({ duration }) => duration),
        0.75,
      ),
    })
    expect(await getRequest(sampled, { method, host, endpoint })).toMatchObject({ sample, count, sessions })
  }
})

test('a sample is read of many stored events of which enough match, unless all are requested', async () => {
  // Counted by hours: also what bots did, and the hours that the period cuts.
  const stored = ofKind(stage.ours, 'view').length
  const enough = ofKind(read, 'view').length
  const isSampled = async (bounds: { whole: number; least: number }, exact?: 'true') =>
    (await chooseSample(question, { kind: 'view', exact }, bounds)).isSampled === true
  expect(await isSampled({ whole: stored / 2, least: enough })).toBe(true)
  expect(await isSampled({ whole: stored / 2, least: enough + 1 })).toBe(false)
  expect(await isSampled({ whole: stored, least: enough })).toBe(false)
  expect(await isSampled({ whole: stored / 2, least: enough }, 'true')).toBe(false)
})

test('a sample is not read of days that it lacks', async () => {
  const { telemetry, environmentId } = stage
  const noon = Date.parse('2026-06-01T12:00:00Z')
  const insert = (table: string) =>
    telemetry.command(
      `INSERT INTO ${table} (environment_id, kind, ts, event_id, user_hash)
      SELECT toUUID('${environmentId}'), 'view', fromUnixTimestamp64Milli(${noon}), generateUUIDv4(), 1 FROM numbers(16000)`,
    )
  const hour = 3_600_000
  const asked = question.with({ from: noon - hour, to: noon + hour })
  const choose = async () => (await chooseSample(asked, {}, { whole: 1_000, least: 0 })).isSampled === true
  await insert('events')
  expect(await choose()).toBe(false)
  await insert('events_sampled')
  expect(await choose()).toBe(true)
})

test('answers of small periods say that they are exact', async () => {
  expect((await stage.ask('explore', { measure: 'count' })).sample).toBe(1)
  expect((await stage.ask('explore/facets', { fields: 'browser' })).sample).toBe(1)
  expect((await stage.ask('sessions/facets', { fields: 'browser', exact: 'true' })).sample).toBe(1)
  expect((await stage.ask('overview')).sample).toBe(1)
  expect((await stage.ask('pages')).sample).toBe(1)
  expect((await stage.ask('requests', { exact: 'true' })).sample).toBe(1)
})
