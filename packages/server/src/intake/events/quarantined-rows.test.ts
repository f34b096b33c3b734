// Rows that the store rejected: listed by reason, retried or discarded, never stored twice.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteNightBefore } from '../../../../../test/intake/note-night.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import { tidyQuarantine } from '../retention/tidy-quarantine.ts'

const base = `${environments}/development`
const patience = { timeout: 30_000 }
let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: Line) => {
  const answer = await stage.telltale.request(method, `${base}${path}`, {
    as: stage.owner,
    ...(body && { body }),
  })
  return answer.body
}
const command = (text: string) => stage.telltale.running.services.telemetry.command(text)
const list = () => ask('GET', '/intake/quarantine')
const sum = async () => {
  const { items } = await list()
  return items.reduce((total: number, { count }: { count: number }) => total + count, 0)
}
const idsOf = async () => (await list()).items.map(({ id }: { id: string }) => id)

/** The store parses a name that begins like this as a number, and rejects the row as it would for a wrong type. */
const beginRefusing = () =>
  command(
    "ALTER TABLE events ADD CONSTRAINT poison CHECK NOT startsWith(name, 'poison') OR toUInt32(name) > 0",
  )
const stopRefusing = () => command('ALTER TABLE events DROP CONSTRAINT poison')

async function send(who: Line, names: string[]): Promise<string> {
  const session = newId()
  await stage.post(toLines([context({ session, ...who }), ...names.map((name) => event('custom', { name }))]))
  return session
}

test('rejected rows are kept until they are retried, and then stored once', async () => {
  await beginRefusing()
  const session = await send({ userKey: 'mara' }, ['fine', 'poison one', 'fine too', 'poison two'])
  await stage.untilStored(session, 2)
  await expect.poll(sum, patience).toBe(2)
  const { items, complete } = await list()
  expect(complete).toBe(true)
  expect(items).toMatchObject([{ table: 'events', code: 6, count: 2 }])
  expect(items[0].sample).toMatchObject({ kind: 'custom', name: 'poison one', user_key: 'mara' })
  expect(Date.parse(items[0].since)).toBeGreaterThan(Date.now() - 60_000)
  expect((await ask('GET', '/intake/outcomes')).quarantined).toBe(2)

  const groups = await idsOf()
  expect(await ask('POST', '/intake/quarantine/retry', { groups })).toEqual({ stored: 0, left: 2 })
  expect(await sum()).toBe(2)
  await stopRefusing()
  expect(await ask('POST', '/intake/quarantine/retry', { groups })).toEqual({ stored: 2, left: 0 })
  expect(await sum()).toBe(0)
  expect(await stage.untilStored(session, 4)).toHaveLength(4)
  const audit = await stage.telltale.request('GET', '/api/v1/projects/shop/audit', { as: stage.owner })
  const actions = audit.body.items.map(({ action }: { action: string }) => action)
  expect(actions.filter((action: string) => action === 'quarantine.retry')).toHaveLength(2)
})

test('rows of an environment are separate, and can be discarded', async () => {
  await beginRefusing()
  await send({}, ['poison three'])
  await expect.poll(sum, patience).toBe(1)
  const groups = await idsOf()
  const other = await stage.telltale.request('POST', `${environments}/staging/intake/quarantine/discard`, {
    as: stage.owner,
    body: { groups },
  })
  expect(other.body).toEqual({ discarded: 0 })
  expect(await ask('POST', '/intake/quarantine/discard', { groups })).toEqual({ discarded: 1 })
  expect(await list()).toEqual({ items: [], complete: true })
  expect(stage.telltale.running.services.intake.condition().quarantineBytes).toBe(0)
})

test('an erasure also erases quarantined rows', async () => {
  await send({ userKey: 'noa' }, ['poison four'])
  await send({ userKey: 'lea' }, ['poison five'])
  await expect.poll(sum, patience).toBe(2)
  await ask('POST', '/erasures', { targetingKey: 'noa' })
  await expect.poll(sum, patience).toBe(1)
  expect((await list()).items[0].sample.user_key).toBe('lea')
  await stopRefusing()
})

test('quarantined rows expire with the retention of events, per environment', async () => {
  const { services } = stage.telltale.running
  const before = await sum()
  await beginRefusing()
  await send({ userKey: 'ada' }, ['poison old'])
  const waiting = before + 1
  await expect.poll(sum, patience).toBe(waiting)
  await tidyQuarantine(services)
  expect(await sum()).toBe(waiting)
  const inAYear = { ...services, clock: () => new Date(Date.now() + 100 * 86_400_000) }
  await ask('PATCH', '', { retentionDays: { events: 99 } })
  // After a clock jump, nothing is deleted by age.
  await tidyQuarantine(inAYear)
  expect(await sum()).toBe(waiting)
  await noteNightBefore(services.db, inAYear.clock())
  await ask('PATCH', '', { retentionDays: { events: 101 } })
  await tidyQuarantine(inAYear)
  expect(await sum()).toBe(waiting)
  await ask('PATCH', '', { retentionDays: { events: 99 } })
  await tidyQuarantine(inAYear)
  expect(await sum()).toBe(0)
  await stopRefusing()
})
