// Sentry's client for Node, unmodified: what a process did is what the API reports of a server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { problem } from '@telltale/core/errors'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { environments, type IntakeStage, openIntakeStage, untilWritten } from '../intake/stage.ts'
import { nodeScenarios, program, type Scenario } from './sentry-node/scenarios.ts'

let stage: IntakeStage
let serverKey: string
let dsn: string

const development = `${environments}/development`
const all = <Part>(part: (scenario: Scenario) => readonly Part[] | undefined): Part[] =>
  nodeScenarios.flatMap((scenario) => part(scenario) ?? [])

beforeAll(async () => {
  stage = await openIntakeStage()
  const { value } = (await ask('POST', `${development}/keys`, { kind: 'server', label: 'Sentry' })).body
  serverKey = value
  dsn = stage.telltale.url.replace('//', `//${value.replace('.', '_')}@`).concat('/1')
  await createSplitFlag('fast-search')
  const said = await runProgram(program)
  expect(said).toContain('nothing caught me')
  await stage.telltale.running.services.intake.outcomes.flush()
})
beforeEach(() => untilWritten(stage.telltale))
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: object) =>
  stage.telltale.request(method, path, { as: stage.owner, ...(body && { body }) })

/** Returns its error stream. */
async function runProgram(text: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    env: { ...process.env, DSN: dsn },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  await once(child, 'close')
  return said
}

async function createSplitFlag(key: string): Promise<void> {
  await ask('POST', '/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })
  const split = [
    { variation: 'on', weight: 100_000 },
    { variation: 'off', weight: 0 },
  ]
  const config = { enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 }
  const saved = await ask('PUT', `${development}/flags/${key}/config`, { ...config, fallthrough: { split } })
  expect(saved.status).toBe(200)
}

interface Found {
  [name: string]: unknown
}

async function eventsOf(kind: string): Promise<Found[]> {
  const { status, body } = await ask('GET', `${development}/events?kind=${kind}&limit=200`)
  expect(status).toBe(200)
  return body.items
}

const byText = (name: string) => (one: Found, other: Found) =>
  String(one[name]) < String(other[name]) ? -1 : 1

test(`${nodeScenarios.length} scenarios: its errors, each once`, async () => {
  const errors = (await eventsOf('error')).sort(byText('errorMessage'))
  const expected = all(({ errors }) => errors).sort(byText('errorMessage'))
  expect(errors.map(({ errorMessage }) => errorMessage)).toEqual(
    expected.map(({ errorMessage }) => errorMessage),
  )
  const ofServer = { session: null, browser: '', bot: false, service: 'api', version: 'api@2.1' }
  expect(errors).toMatchObject(expected.map((error) => ({ userKey: 'u-42', ...ofServer, ...error })))
  const unhandled = await stage.read<{ message: string }>(
    "SELECT err_message AS message FROM events WHERE kind = 'error' AND err_handled = 0 ORDER BY message",
  )
  expect(unhandled.map(({ message }) => message)).toEqual(['in a request', 'late', 'nothing caught me'])
  const issues = (await ask('GET', `${development}/issues?limit=100`)).body.items
  const grouped = issues.filter(({ message }: { message: string }) => message.includes('card of'))
  expect(grouped).toMatchObject([{ events: 2 }])
})

test('its messages below a warning are custom events', async () => {
  const customs = (await eventsOf('custom')).map(({ name, attributes }) => ({ name, attributes }))
  expect(customs).toMatchObject(all(({ customs }) => customs))
})

test('its spans are traces', async () => {
  const spans = await stage.read<Found>(
    `SELECT toString(name) AS name, toString(service) AS service, version, toString(kind) AS kind, toString(status) AS status,
      http_status AS httpStatus, toString(endpoint) AS route, parent_id = '' AS isRoot, user_key AS userKey,
      mapContains(attrs, 'user.ip_address') AS hasAddress
    FROM spans ORDER BY name, kind`,
  )
  const expected = all(({ spans }) => spans).sort((one, other) =>
    `${one.name} ${one.kind}` < `${other.name} ${other.kind}` ? -1 : 1,
  )
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual(expected.map(({ name, kind }) => [name, kind]))
  const ofService = { service: 'api', version: 'api@2.1', userKey: 'u-42', hasAddress: 0 }
  expect(spans).toMatchObject(expected.map((span) => ({ ...ofService, ...span })))
  const [shown] = (await eventsOf('error')).filter(({ errorMessage }) => errorMessage === 'in a request')
  const [at] = await stage.read<Found>(
    "SELECT toString(s.name) AS name FROM events AS e INNER JOIN spans AS s ON s.span_id = e.attrs['span.id'] WHERE e.event_id = {id:UUID}",
    { id: shown?.id },
  )
  expect(at?.name).toBe('/broken')
})

test('its logs are records', async () => {
  const logs = await stage.read<Found>(
    'SELECT body, toString(level) AS level, toString(service) AS service FROM logs ORDER BY body',
  )
  expect(logs).toEqual(all(({ logs }) => logs).map((log) => ({ ...log, service: 'api' })))
})

test('flags are exposures of the user, with the arm that the split assigned', async () => {
  const exposures = await eventsOf('exposure')
  expect(exposures).toHaveLength(all(({ exposures }) => exposures).length)
  expect(exposures).toMatchObject(all(({ exposures }) => exposures))
  const rows = await stage.read<Found>(
    "SELECT toString(kind) AS kind, arms.arm AS arms FROM events WHERE has(flags, 'fast-search=on') ORDER BY kind",
  )
  expect(rows).toEqual([
    { kind: 'error', arms: ['on'] },
    { kind: 'exposure', arms: ['on'] },
  ])
})

test('what it left out, and what has no counterpart, is counted', async () => {
  const read = async () => {
    await stage.telltale.running.services.intake.outcomes.flush()
    const rows = await stage.read<{ reason: string; n: string }>(
      "SELECT toString(reason) AS reason, toString(sum(count)) AS n FROM intake_outcomes WHERE source = 'sentry' AND reason != 'accepted' GROUP BY reason ORDER BY reason",
    )
    return rows.map(({ reason, n }) => [reason, Number(n)])
  }
  // The last envelope of a process may still be on its way when it has ended.
  await expect.poll(read, { timeout: 20_000 }).toEqual([
    // A session of release health, and its end: servers have none.
    ['client_telemetry', 2],
    // By `beforeSend`, and by the sampler.
    ['discarded', 2],
    // A check-in, a metric, and the number of sessions.
    ['unknown_kind', 3],
  ])
})

const envelope = (...items: [object, object][]) =>
  [{ sent_at: new Date().toISOString() }, ...items.flat()].map((line) => JSON.stringify(line)).join('\n')

const sendEnvelope = (key: string, body: string) =>
  fetch(`${stage.telltale.url}/api/1/envelope/?sentry_key=${key}`, { method: 'POST', body })

test('an envelope that is sent again after it could not be stored is counted once in its view', async () => {
  const key = await stage.clientKey('development')
  const [now, trace] = [Date.now() / 1_000, '0af7651916cd43dd8448eb211c80319c']
  const context = { trace: { trace_id: trace, span_id: 'b7ad6b7169203331', op: 'pageload' } }
  const load = {
    ...{
      type: 'transaction',
      transaction: '/',
      start_timestamp: now - 2,
      timestamp: now - 1,
      contexts: context,
    },
    spans: [
      {
        ...{ trace_id: trace, span_id: 'b7ad6b7169203332', op: 'http.client', description: 'GET /stock' },
        ...{ start_timestamp: now - 2, timestamp: now - 1 },
      },
    ],
  }
  const error = {
    event_id: 'c'.repeat(32),
    timestamp: now,
    contexts: context,
    exception: { values: [{ type: 'E', value: 'again' }] },
  }
  const body = envelope([{ type: 'transaction' }, load], [{ type: 'event' }, error])
  const { spool } = stage.telltale.running.services.intake
  vi.spyOn(spool, 'append').mockRejectedValueOnce(new Error('the disk is gone'))
  expect((await sendEnvelope(key, body)).status).toBe(500)
  expect((await sendEnvelope(key, body)).status).toBe(200)
  // The client could not know that it arrived, and sends it with another time of sending.
  expect((await sendEnvelope(key, body.replace('"sent_at"', '"sent_at" '))).status).toBe(200)
  await untilWritten(stage.telltale)
  const states = await stage.read<Found>(
    'SELECT toString(errors) AS errors, toString(resources) AS resources FROM views FINAL WHERE view_id = {view:UUID}',
    { view: trace.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') },
  )
  expect(states).toEqual([{ errors: '1', resources: '1' }])
})

test('spans of a server count once against the quota', async () => {
  const { quotas } = stage.telltale.running.services.intake
  const add = vi.spyOn(quotas, 'add')
  const now = Date.now() / 1_000
  const context = { trace: { trace_id: 'd'.repeat(32), span_id: 'd'.repeat(16), op: 'http.server' } }
  const body = envelope([
    { type: 'transaction' },
    { transaction: 'GET /once', start_timestamp: now - 1, timestamp: now, contexts: context },
  ])
  expect((await sendEnvelope(serverKey, body)).status).toBe(200)
  expect(add.mock.calls).toEqual([[stage.environment, Buffer.byteLength(body)]])
  add.mockRestore()
})

test('a client that is told to wait sends nothing more', async () => {
  const { quotas } = stage.telltale.running.services.intake
  const refused = vi.spyOn(quotas, 'require').mockImplementation(() => {
    throw problem('quota-exceeded', { retryAfterSeconds: 60 })
  })
  const answer = await sendEnvelope(serverKey, envelope())
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(answer.headers.get('x-sentry-rate-limits')).toBe('60::organization')
  refused.mockClear()
  const said = await runProgram(`
    import * as Sentry from '@sentry/node'
    Sentry.init({ dsn: process.env.DSN, integrations: (all) => all.filter(({ name }) => name !== 'ProcessSession') })
    for (const turn of [1, 2, 3]) {
      Sentry.captureException(new Error('refused ' + turn))
      await Sentry.flush(5_000)
    }
  `)
  expect(said).toBe('')
  expect(refused).toHaveBeenCalledOnce()
  refused.mockRestore()
})
