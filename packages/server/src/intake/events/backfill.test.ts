// History imported by an owner: the same pipeline accepts old events, once, and marks their origin.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, toLines } from '../../../../../test/intake/visitor.ts'
import type { Credential } from '../../../../../test/start.ts'

const day = 86_400_000
const weekAgo = Date.now() - 7 * day

let stage: IntakeStage
let owner: Credential
let key: string

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await stage.clientKey('development')
  owner = await stage.telltale.token(stage.owner, { role: 'owner' })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

async function handIn(lines: object[], { as = owner, query = {} }: { as?: Credential; query?: object } = {}) {
  const address = new URLSearchParams({ key, backfill: '1', ...query })
  const answer = await fetch(`${stage.telltale.url}/intake/v1/events?${address}`, {
    method: 'POST',
    headers: as.headers,
    body: toLines(lines),
  })
  return { status: answer.status, body: await answer.json() }
}

test('is stored with its own time and country, once', async () => {
  const session = newId()
  const lines = [context({ session }), event('view', { at: weekAgo })]
  const query = { country: 'DE', batch: newId() }
  expect(await handIn(lines, { query })).toEqual({ status: 202, body: { accepted: 1, dropped: [] } })
  expect((await handIn(lines, { query })).body).toMatchObject({ accepted: 0, repeated: true })

  const [stored] = await stage.untilStored(session, 1)
  expect(stored).toMatchObject({ country: 'DE', client_ts: expect.stringContaining(dateOf(weekAgo)) })
  expect(stored?.ts).toBe(stored?.client_ts)
})

test('has its own limit, and live data keeps its two days', async () => {
  const ancient = [context(), event('view', { at: Date.now() - 401 * day })]
  const dropped = [{ reason: 'timestamp_out_of_range', count: 1 }]
  expect((await handIn(ancient)).body).toEqual({ accepted: 0, dropped })
  const late = await stage.post(toLines([context(), event('view', { at: weekAgo })]))
  expect(late.body).toEqual({ accepted: 0, dropped })
})

test('requires an owner', async () => {
  const lines = [context(), event('view', { at: weekAgo })]
  const admin = await stage.telltale.token(stage.owner, { role: 'admin' })
  expect(await handIn(lines, { as: admin })).toMatchObject({
    status: 403,
    body: { permission: 'installation.manage' },
  })
  expect((await handIn(lines, { as: { headers: {} } })).status).toBe(401)
  expect((await handIn(lines, { query: { key: 'tt_nobody' } })).body.type).toBe('/errors/invalid-key')
  expect((await handIn(lines, { query: { country: 'Norway' } })).status).toBe(400)
})

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)
