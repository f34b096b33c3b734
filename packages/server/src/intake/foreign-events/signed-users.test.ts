// Clients of others cannot sign their users. Where signatures are required, a client key stores their telemetry without
// the user; a server key may name anyone.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rumEvent, rumLines, sendRum } from '../../../../../test/intake/datadog.ts'
import {
  exceptionEvent,
  logOf,
  logRequest,
  newTraceId,
  sendOtlp,
  spanOf,
  traceRequest,
} from '../../../../../test/intake/otlp.ts'
import { type OtlpStage, openOtlpStage } from '../../../../../test/intake/otlp-stage.ts'
import { environments, untilWritten } from '../../../../../test/intake/stage.ts'
import type { Line } from '../../../../../test/intake/visitor.ts'

let stage: OtlpStage
let clientKey: string
beforeAll(async () => {
  stage = await openOtlpStage()
  clientKey = await stage.clientKey('development')
  const path = `${environments}/development/signed-users`
  const as = stage.owner
  expect((await stage.telltale.request('POST', `${path}/secrets`, { as })).status).toBe(201)
  expect((await stage.telltale.request('PUT', path, { as, body: { mode: 'require' } })).status).toBe(200)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

interface Sender {
  key: string
  user: string
}

const post = async (path: string, body: string | object, headers: Record<string, string>) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (await fetch(stage.telltale.url + path, { method: 'POST', body: text, headers })).status
}
const json = { 'content-type': 'application/json' }

const protocols = {
  otlp: async ({ key, user }: Sender) => {
    const attributes = { 'user.id': user }
    const span = spanOf({ attributes, events: [exceptionEvent(`of ${user}`)] })
    const headers = { authorization: `Bearer ${key}` }
    const { url } = stage.telltale
    await sendOtlp(url, { path: '/v1/logs', body: logRequest('shop', [logOf({ attributes })]), headers })
    const sent = await sendOtlp(url, { path: '/v1/traces', body: traceRequest('shop', [span]), headers })
    return sent.status
  },
  sentry: ({ key, user }: Sender) => {
    const error = { exception: { values: [{ type: 'Error', value: `of ${user}` }] }, user: { id: user } }
    const event = { event_id: newTraceId(), timestamp: Date.now() / 1_000, platform: 'javascript', ...error }
    const lines = [{ event_id: event.event_id }, { type: 'event' }, event].map((line) => JSON.stringify(line))
    const query = new URLSearchParams({ sentry_key: key.replace('.', '_') })
    return post(`/api/1/envelope/?${query}`, lines.join('\n'), {})
  },
  flagsmith: ({ key, user: identifier }: Sender) => {
    const bought = { event: 'purchase', feature_name: null, identifier, value: '1', timestamp: Date.now() }
    return post('/flagsmith/v1/events', { events: [bought] }, { ...json, 'x-environment-key': key })
  },
  datadog: async ({ key, user: id }: Sender) => {
    const session = { id: randomUUID(), type: 'user' }
    const click = rumEvent('action', { type: 'click', target: { name: 'Pay' } }, { session, usr: { id } })
    return (await sendRum(rumLines([click]), { url: stage.telltale.url, key })).status
  },
  faro: ({ key, user: id }: Sender) => {
    const timestamp = new Date().toISOString()
    const visit = {
      meta: { app: { name: 'shop' }, session: { id }, user: { id }, page: { url: 'https://shop.example/' } },
      logs: [{ message: 'slow', level: 'warn', timestamp, context: { 'user.id': id } }],
      exceptions: [{ type: 'Error', value: `of ${id}`, timestamp }],
    }
    return post(`/intake/faro/${key}`, visit, { ...json, origin: 'https://shop.example' })
  },
}

const both = ['otlp', 'sentry', 'flagsmith'] as const
const browsersOnly = ['datadog', 'faro'] as const

test('a client key stores no user, a server key does', async () => {
  for (const protocol of [...both, ...browsersOnly]) {
    const status = await protocols[protocol]({ key: clientKey, user: `${protocol}-of-browser` })
    expect([protocol, status < 300]).toEqual([protocol, true])
  }
  for (const protocol of both) {
    const status = await protocols[protocol]({ key: stage.serverKey, user: `${protocol}-of-server` })
    expect([protocol, status < 300]).toEqual([protocol, true])
  }
  await untilWritten(stage.telltale)

  const events = await stage.read<Line>(
    `SELECT DISTINCT toString(source) AS source, user_key AS user, attrs['telltale.user'] AS mark FROM events
    ORDER BY source, user`,
  )
  const ofClient = [...both, ...browsersOnly].map((source) => ({ source, user: '', mark: 'unsigned' }))
  const ofServer = both.map((source) => ({ source, user: `${source}-of-server`, mark: '' }))
  const byText = (one: Line, other: Line) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  expect(events.sort(byText)).toEqual([...ofClient, ...ofServer].sort(byText))
  for (const table of ['spans', 'logs']) {
    const rows = await stage.read<Line>(`SELECT DISTINCT user_key AS user FROM ${table} ORDER BY user`)
    expect([table, rows]).toEqual([table, [{ user: '' }, { user: 'otlp-of-server' }]])
  }
  await stage.telltale.running.services.signedUserCounts.flush()
  const path = `${environments}/development/signed-users`
  const { body } = await stage.telltale.request('GET', path, { as: stage.owner })
  expect(body.days[0].telemetry).toMatchObject({ signed: 0, invalid: 0, expired: 0 })
  expect(body.days[0].telemetry.unsigned).toBeGreaterThanOrEqual(Object.keys(protocols).length)
})
