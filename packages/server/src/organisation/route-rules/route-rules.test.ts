// From the URLs of visitors to one row in the list of pages: stored rows before and after a rule, and rules set
// by members.

import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const development = `${environments}/development`
const call = (method: string, path: string, body?: object) =>
  stage.telltale.request(method, `${development}/${path}`, { as: stage.owner, ...(body && { body }) })

/** One session that opens each URL. */
async function visit(addresses: readonly string[]): Promise<void> {
  const session = newId()
  const lines = addresses.flatMap((path, index) => [
    context({ index, session, view: newId(), url: `https://shop.example${path}` }),
    event('view', { context: index }),
  ])
  expect((await stage.post(toLines(lines), { headers: { 'user-agent': browser } })).status).toBe(202)
  await stage.untilStored(session, addresses.length)
}

async function pages(query = ''): Promise<Record<string, number>> {
  const { status, body } = await call('GET', `pages?limit=200${query}`)
  expect(status).toBe(200)
  return Object.fromEntries(
    body.items.map(({ page, views }: { page: string; views: number }) => [page, views]),
  )
}

const names = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}-${'abcdefghij'[index % 10]}${index}w`)

test('a position with many different segments is learned, and applied to stored rows', async () => {
  const count = limits.routeSegments + 20
  await visit([
    ...Array.from({ length: 30 }, () => '/wishes/new'),
    ...names(count, 'gift').map((name) => `/wishes/${name}`),
  ])
  // The first rows have separate routes, because there was no rule yet.
  await expect
    .poll(async () => (await call('GET', 'route-rules')).body.items, { timeout: 20_000 })
    .toMatchObject([{ under: '/wishes', isMerged: true, isLearned: true, except: ['new'] }])
  const rows = await stage.read<{ pages: string }>(
    `SELECT toString(uniqExact(page)) AS pages FROM events WHERE environment_id = {environment:UUID} AND startsWith(page, '/wishes/')`,
    { environment: stage.environment },
  )
  expect(Number(rows[0]?.pages)).toBeGreaterThan(50)

  expect(await pages()).toEqual({ '/wishes/:id': count, '/wishes/new': 30 })
  const filtered = await call('GET', `pages?${new URLSearchParams({ filter: 'page:/wishes/:id' })}`)
  expect(filtered.body.items).toMatchObject([{ page: '/wishes/:id', views: count }])
  const { body } = await call('GET', 'sessions?limit=5')
  expect(body.items[0]).toMatchObject({ entryPage: '/wishes/new', exitPage: '/wishes/:id' })
})

test('members keep pages separate, make exceptions, and add rules from the start', async () => {
  const set = await call('PUT', 'route-rules', { under: '/wishes', isMerged: true, except: ['gift-a0w'] })
  expect(set.body).toMatchObject({ under: '/wishes', isLearned: false, except: ['gift-a0w'] })
  expect(await pages()).toEqual({ '/wishes/:id': limits.routeSegments + 49, '/wishes/gift-a0w': 1 })

  await call('PUT', 'route-rules', { under: '/help', isMerged: false })
  const count = limits.routeSegments + 10
  await visit(names(count, 'topic').map((name) => `/help/${name}`))
  expect(Object.keys(await pages()).filter((page) => page.startsWith('/help/'))).toHaveLength(count)

  await call('PUT', 'route-rules', { under: '/help', isMerged: true })
  expect(await pages()).toMatchObject({ '/help/:id': count })
  expect((await call('DELETE', 'route-rules?under=%2Fhelp')).status).toBe(204)
  expect((await call('DELETE', 'route-rules?under=%2Fhelp')).status).toBe(404)
  expect((await call('PUT', 'route-rules', { under: 'help', isMerged: true })).status).toBe(400)
})
