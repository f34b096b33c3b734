// The test of one application: visits, some of them on a processor that is six times slower, then every number twice.

import { isDeepStrictEqual } from 'node:util'
import { type Browser, expect, test } from '@playwright/test'
import { type FlagServer, startFlagServer } from '../browser/flag-server.ts'
import { pairVitals, referenceVitals, type SessionView, viewsByLoad } from './compare-vitals.ts'
import { type Done, driveVisit, templateOf } from './drive-visit.ts'
import {
  byPageClock,
  environment,
  expectedOf,
  hasFailed,
  isOf,
  listAll,
  readStored,
  type Stored,
  sessionsOf,
  storedOf,
} from './recount.ts'
import {
  type Application,
  type ApplicationName,
  type PageRecord,
  startApplication,
} from './start-application.ts'

/** One of each kind, two of them slow; by hand, more. */
const visits = Number(process.env.TELLTALE_TEST_VISITS ?? 8)
/** The first slow visit of each application: each has other kinds of visits slow. */
const firstSlow: Partial<Record<ApplicationName, number>> = { plain: 1, next: 2, 'react-router': 3 }
/** 1 or 6 for all visits; by default a quarter is slow. */
const { TELLTALE_TEST_CPU: cpu } = process.env
const isSlow = (name: ApplicationName) => (visit: number) =>
  cpu ? cpu === '6' : (visit + Math.floor(visit / 8)) % 4 === firstSlow[name]

/** The same visits in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

export function testApplication(name: ApplicationName): void {
  let server: FlagServer
  let application: Application

  test.beforeAll(async () => {
    // The first time, Next is installed and built.
    test.setTimeout(600_000)
    server = await startShop()
    application = await startApplication(name, server)
  })
  test.afterAll(async () => {
    await application?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  test(`${visits} visits are counted as they happened`, async ({ browser }) => {
    // A minute on a processor that nobody else needs.
    test.setTimeout(900_000)
    const done = await driveAll(browser, { name, url: application.url })
    expect(done.flatMap(({ complaints }) => complaints)).toEqual([])

    await expectVisits(done, { server, application })
    // What is still on its way would be counted now.
    await Promise.all(done.map(({ context }) => context.close()))
    const stored = await expectVisits(done, { server, application })
    const records = await application.records()
    await expectTotals(done, { server, records })
    await expectVitals(done, { server, records, stored })
  })
}

async function driveAll(browser: Browser, site: { name: ApplicationName; url: string }): Promise<Done[]> {
  const done: Done[] = []
  const all = Array.from({ length: visits }, (_, index) => index)
  const drive = async (among: number[], rate: 1 | 6) => {
    for (let visit = among.shift(); visit !== undefined; visit = among.shift())
      done.push(await driveVisit(browser, site, { visit, rate, random: createRandom(visit + 1) }))
  }
  const slow = all.filter(isSlow(site.name))
  const fast = all.filter((visit) => !slow.includes(visit))
  // A slow page keeps a processor busy: one at a time.
  await Promise.all([drive(slow, 6), drive(fast, 1)])
  return done.sort((one, other) => Number(one.visit) - Number(other.visit))
}

/** With its telemetry engine, and two flags. */
export async function startShop(): Promise<FlagServer> {
  const server = await startFlagServer({ telemetry: true })
  await createFlags(server)
  const isOpen = () => server.get(`${environment}/events`).then(Boolean, () => false)
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true)
  return server
}

async function createFlags(server: FlagServer): Promise<void> {
  await server.create('checkout', 'boolean', { on: true, off: false })
  await server.create('banner', 'string', { hello: 'Hello', sale: 'Sale' })
  const path = `${environment}/flags/checkout/config`
  const { savedAt: _, salt: __, ...config } = (await server.get(path)) as Record<string, unknown>
  const split = [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ]
  await server.ask('PUT', path, { ...config, fallthrough: { split } })
}

interface Sides {
  server: FlagServer
  application: Application
}

async function expectVisits(done: readonly Done[], { server, application }: Sides): Promise<Stored> {
  let stored: Stored = { events: [], sessions: [] }
  await expect(async () => {
    const records = await application.records()
    stored = await readStored(server)
    const differ = done.flatMap((each) => {
      const [recorded, counted] = [expectedOf(each, records), storedOf(stored, each.visit)]
      return isDeepStrictEqual(recorded, counted) ? [] : [{ steps: each.steps, recorded, counted }]
    })
    expect(differ).toEqual([])
  }).toPass({ timeout: 90_000, intervals: [3_000] })
  return stored
}

interface Told {
  server: FlagServer
  records: readonly PageRecord[]
}

/** The screens count the same: sessions, pages, requests, issues. */
async function expectTotals(done: readonly Done[], { server, records }: Told): Promise<void> {
  const all = done.map((each) => expectedOf(each, records))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const totals = (counts: readonly Record<string, number>[]) => {
    const total: Record<string, number> = {}
    for (const [key, count] of counts.flatMap(Object.entries)) total[key] = (total[key] ?? 0) + count
    return total
  }
  const { now } = (await server.get(`${environment}/overview`)) as { now: Record<string, number> }
  expect({ sessions: now.sessions, views: now.views, errors: now.errors }).toEqual({
    sessions: sum(all.map(({ sessions }) => sessions)),
    views: sum(all.map(({ pages }) => pages.length)),
    errors: sum(all.flatMap(({ errors }) => Object.values(errors))),
  })

  const pages = await listAll<{ page: string; views: number }>(server, 'pages')
  expect(Object.fromEntries(pages.map(({ page, views }) => [page, views]))).toEqual(
    totals(all.flatMap((each) => each.pages.map((page) => ({ [page.replace('*', '')]: 1 })))),
  )

  const requests = await listAll<{ method: string; endpoint: string; count: number; failed: number }>(
    server,
    'requests',
  )
  const own = requests.map(({ endpoint, count, failed }) => [endpoint, count, failed])
  expect(own.sort()).toEqual(expectedRequests(records).sort())

  const issues = await listAll<{ message: string; events: number }>(server, 'issues')
  expect(totals(issues.map(({ message, events }) => ({ [message]: events })))).toEqual(
    totals(all.map(({ errors }) => errors)),
  )
}

function expectedRequests(records: readonly PageRecord[]): [string, number, number][] {
  const found = new Map<string, [string, number, number]>()
  for (const { path, status, aborted } of records.filter(isOf('request'))) {
    const endpoint = templateOf(path)
    const [, counted, failed] = found.get(endpoint) ?? [endpoint, 0, 0]
    found.set(endpoint, [endpoint, counted + 1, failed + (hasFailed({ status, aborted }) ? 1 : 0)])
  }
  return [...found.values()]
}

async function expectVitals(done: readonly Done[], { server, records, stored }: Told & { stored: Stored }) {
  let compared = 0
  const differ: object[] = []
  for (const each of done.filter(({ isCut }) => !isCut)) {
    const [session] = sessionsOf(stored, each.visit)
    const { viewList } = (await server.get(`${environment}/sessions/${session}`)) as {
      viewList: SessionView[]
    }
    const loads = viewsByLoad(each.pages, viewList.sort(byPageClock(({ id }) => id)))
    const references = referenceVitals(records.filter(({ visit }) => visit === each.visit))
    expect(references.length).toBe(loads.length)
    for (const [index, views] of loads.entries()) {
      for (const { name, reference, stored } of pairVitals(references[index] ?? {}, views)) {
        if (reference === undefined) continue
        compared++
        const slack = name === 'CLS' ? 0.001 : 1
        if (stored === undefined || Math.abs(stored - reference) > slack)
          differ.push({ visit: each.visit, load: index, steps: each.steps, name, reference, stored })
      }
    }
  }
  expect(differ).toEqual([])
  expect(compared).toBeGreaterThan(visits)
}
