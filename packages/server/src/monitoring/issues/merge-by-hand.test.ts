// Issues that members merge and split manually, and errors that are matched to issues of an older version.

import { formerErrorGroup } from '@telltale/core/telemetry/former-error-group'
import { and, eq, isNotNull } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import type { SomePerson } from '../../../../../test/start.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import { noteIssues } from './note-issues.ts'

const path = `${environments}/development/issues`
const headers = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}
let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const script = (build: string) => `https://shop.example/assets/app-${build}.js`
const stackOf = (name: string, build = 'a1b2c3d4') => `Error: no\n    at ${name} (${script(build)}:10:20)`

async function fail(message: string, { stack = '', ...more }: Line & { stack?: string } = {}): Promise<void> {
  const session = newId()
  const error = event('error', { source: 'uncaught', type: 'Error', message, stack, handled: false, ...more })
  const lines = [context({ session, anonymousId: session }), event('view'), error]
  expect((await stage.post(toLines(lines), { headers })).body.dropped).toEqual([])
  await stage.untilStored(session, 2)
}

interface AskOptions {
  body?: Line
  as?: SomePerson
}

async function ask(method: 'GET' | 'POST' | 'PATCH', at = '', { body, as = stage.owner }: AskOptions = {}) {
  return stage.telltale.request(method, `${path}${at}`, { as, ...(body && { body }) })
}

const list = async (): Promise<Line[]> => (await ask('GET', '?sort=first-seen')).body.items
const titled = async (message: string) => (await list()).filter((one) => one.message === message)
async function find(message: string): Promise<Line> {
  const [found] = await titled(message)
  if (found === undefined) throw new Error(`no issue "${message}"`)
  return found
}

test('a line with three statuses is one issue, titled by the first; failed requests are distinguished by endpoint', async () => {
  for (const status of [500, 502, 503]) {
    await fail(`The shop does not answer (${status}).`, {
      stack: `${stackOf('Shop.request')}\n    at caller${status} (${script('a1b2c3d4')}:${status}:1)`,
    })
  }
  expect(await titled('The shop does not answer (500).')).toMatchObject([{ events: 3 }])
  expect(await titled('The shop does not answer (503).')).toEqual([])

  const settle =
    'AxiosError: no\n    at settle (https://shop.example/node_modules/axios/lib/core/settle.js:19:12)'
  for (const request of ['/api/orders/17?a=b', '/api/orders/18', '/api/cart', null]) {
    await fail('Request failed with status code 404', { type: 'AxiosError', stack: settle, request })
  }
  const failed = (await titled('Request failed with status code 404')).map(({ events }) => events)
  expect(failed.sort()).toEqual([1, 1, 2])
})

test('after a manual merge, later errors and new builds follow; a split restores both', async () => {
  for (const name of ['pay', 'charge', 'other']) await fail(`No card to ${name}`, { stack: stackOf(name) })
  const [pay, charge, other] = await Promise.all(
    ['pay', 'charge', 'other'].map((name) => find(`No card to ${name}`)),
  )
  await ask('PATCH', `/${charge?.id}`, { body: { state: 'resolved' } })
  const viewer = await stage.telltale.person({ in: { shop: 'viewer' } })
  const merging = { issues: [charge?.id, pay?.id] }
  expect((await ask('POST', `/${pay?.id}/merge`, { body: merging, as: viewer })).status).toBe(403)
  expect((await ask('POST', `/${pay?.id}/merge`, { body: merging })).body).toMatchObject({
    id: pay?.id,
    state: 'unresolved',
  })
  expect((await ask('POST', `/${pay?.id}/merge`, { body: { issues: [newId()] } })).status).toBe(404)

  await fail('No card to charge', { stack: stackOf('charge') })
  await fail('No card to charge', { stack: stackOf('charge', 'Qm29xLpZ') })
  await noteIssues(stage.telltale.running.services)
  expect(await titled('No card to charge')).toEqual([])
  expect(await find('No card to pay')).toMatchObject({ id: pay?.id, events: 4 })
  const shown = (await ask('GET', `/${charge?.id}`)).body
  expect(shown).toMatchObject({ id: pay?.id, merged: [{ id: charge?.id, message: 'No card to charge' }] })

  // Issues merged into it before move along and can still be split off.
  await ask('POST', `/${other?.id}/merge`, { body: { issues: [pay?.id] } })
  const merged = (await ask('GET', `/${other?.id}`)).body.merged.map(({ id }: Line) => id)
  expect(merged.sort()).toEqual([pay?.id, charge?.id].sort())
  for (const id of [charge?.id, pay?.id]) {
    expect((await ask('POST', `/${other?.id}/split`, { body: { merged: id } })).body).toMatchObject({ id })
  }
  expect((await ask('POST', `/${other?.id}/split`, { body: { merged: pay?.id } })).status).toBe(404)
  // Regressed once the background work sees the errors of the meantime.
  const state = expect.stringMatching(/^(resolved|regressed)$/)
  expect(await find('No card to charge')).toMatchObject({ id: charge?.id, events: 3, state })
  expect(await find('No card to pay')).toMatchObject({ id: pay?.id, events: 1, state: 'unresolved' })
  expect(await find('No card to other')).toMatchObject({ id: other?.id, events: 1 })

  const { body } = await stage.telltale.request('GET', '/api/v1/projects/shop/audit?limit=20', {
    as: stage.owner,
  })
  const actions = body.items.map(({ action }: Line) => action)
  expect(actions.filter((action: string) => action === 'issue.merge')).toHaveLength(2)
  expect(actions.filter((action: string) => action === 'issue.split')).toHaveLength(2)
  const { db } = stage.telltale.running.services
  expect(await db.select().from(issueGroups).where(isNotNull(issueGroups.mergedFrom))).toEqual([])
})

test('after an upgrade errors keep their issues, with decisions', async () => {
  const { db } = stage.telltale.running.services
  const stack = stackOf('ship')
  const [id, environmentId] = [newId(), stage.environment]
  const group = formerErrorGroup({ environment: environmentId, type: 'Error', message: 'No van', stack })
  const at = new Date()
  const seen = { firstSeenAt: at, firstSeenVersion: '', lastSeenAt: at, lastSeenVersion: '', createdAt: at }
  const known = { type: 'Error', message: 'No van', culprit: 'ship', state: 'ignored' as const, ...seen }
  await db.insert(issues).values({ id, environmentId, ...known })
  await db.insert(issueGroups).values({ environmentId, group, issueId: id })

  await fail('No van', { stack })
  await noteIssues(stage.telltale.running.services)
  expect(await titled('No van')).toMatchObject([{ id, state: 'ignored', events: 1 }])
  const ofIssue = and(eq(issueGroups.issueId, id), eq(issueGroups.environmentId, environmentId))
  expect((await db.select().from(issueGroups).where(ofIssue)).length).toBeGreaterThan(1)
})
