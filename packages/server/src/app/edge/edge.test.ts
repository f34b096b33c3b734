// An edge against a real server, over HTTP. A gate between them can be closed: the server is away then.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Timing, usualTiming } from '@telltale/node/follow'
import { type Gate, openGate } from '@telltale/node/testing/gate'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { createLog } from '../../platform/process/log.ts'
import { readEdgeConfig } from './edge-config.ts'
import { type RunningEdge, serveEdge } from './serve-edge.ts'

let telltale: Telltale
let owner: SomePerson
let edge: RunningEdge
let gate: Gate
let folder: string
const keys = { client: '', server: '' }
const project = '/api/v1/projects/shop'
const bulk = '/ofrep/v1/evaluate/flags'
const timing: Timing = { ...usualTiming, poll: 100, reaction: 5, longestBackoff: 50 }

const startEdge = (env: Record<string, string> = {}, data = folder) => {
  const args = ['--server', gate.url, '--key', keys.server, '--port', '0', '--data', data]
  const config = readEdgeConfig([...args, '--log-level', 'silent'], env)
  return serveEdge({ config, log: createLog('silent'), timing, settingsEvery: 100 })
}

async function send(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

async function ask(
  url: string,
  path: string,
  { key = keys.client, body = '', headers = {}, method = 'POST' } = {},
) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(method === 'POST' ? { body } : {}),
  })
  const text = await response.text()
  return { status: response.status, text, tag: response.headers.get('etag'), headers: response.headers }
}

const health = async () => JSON.parse((await ask(edge.url, '/healthz', { method: 'GET' })).text)

const vips = { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'vip' }] }
const half = {
  split: [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ],
}

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  for (const kind of ['client', 'server'] as const)
    keys[kind] = (await send('POST', `${project}/environments/production/keys`, { kind, label: kind })).value
  for (const key of ['a', 'b', 'c', 'hidden']) {
    const clientVisible = key !== 'hidden'
    await send('POST', `${project}/flags`, { key, name: key, valueType: 'boolean', clientVisible })
    await send('PUT', `${project}/environments/production/flags/${key}/config`, {
      enabled: key !== 'c',
      offVariation: 'off',
      prerequisites: [],
      rules: key === 'b' ? [{ when: vips, serve: half }] : [],
      fallthrough: key === 'a' ? half : { variation: 'on' },
      version: 1,
    })
  }
  await send('PUT', `${project}/environments/production/flags/a/overrides/ann`, { variation: 'on' })
  gate = await openGate(telltale.url)
  folder = await mkdtemp(join(tmpdir(), 'telltale-edge-'))
  edge = await startEdge()
})

afterAll(async () => {
  await edge?.stop()
  await gate?.close()
  await telltale?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

beforeEach(() => gate.open())

/** Contexts that reach rules, splits, overrides and every kind of refusal. */
const bodies = [
  '',
  '{',
  '{"context":7}',
  '{"context":{"targetingKey":["x"]}}',
  '{"context":{"targetingKey":"ann"}}',
  ...Array.from({ length: 6 }, (_, index) =>
    JSON.stringify({ context: { targetingKey: `user-${index * 7919}`, plan: index % 2 ? 'vip' : 'free' } }),
  ),
]

test('an edge gives the same bodies and entity tags as its server', async () => {
  for (const key of [keys.client, keys.server, 'wrong']) {
    // Each wrong key is looked up again.
    for (const body of key === 'wrong' ? bodies.slice(0, 1) : bodies) {
      const paths = [bulk, `${bulk}/a`, `${bulk}/b`, `${bulk}/hidden`, `${bulk}/missing`]
      const answersOf = (url: string) => Promise.all(paths.map((path) => ask(url, path, { key, body })))
      const [ours, theirs] = await Promise.all([edge.url, telltale.url].map(answersOf))
      expect(ours?.map(factsOf), body).toEqual(theirs?.map(factsOf))
    }
  }
  const { tag } = await ask(edge.url, bulk)
  const again = await ask(telltale.url, bulk, { headers: { 'if-none-match': tag ?? '' } })
  expect(again.status).toBe(304)
  expect((await ask(edge.url, bulk, { headers: { 'if-none-match': tag ?? '' } })).status).toBe(304)
})
/** The id of the request is the only difference. */
const factsOf = ({ status, text, tag }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  text: text.replace(/"requestId":"[^"]+"/, ''),
  tag,
})

test('settings and rule sets of SDKs are the same', async () => {
  for (const path of ['/sdk/v1/config', '/sdk/v1/ruleset']) {
    for (const key of [keys.client, keys.server]) {
      const given = { key, method: 'GET' }
      const [ours, theirs] = await Promise.all([edge.url, telltale.url].map((url) => ask(url, path, given)))
      expect([ours?.status, ours?.tag]).toEqual([theirs?.status, theirs?.tag])
      if (ours?.status === 200) expect(ours.text).toBe(theirs?.text)
    }
  }
})

test('only a server key gets the settings for an edge, and no value of a key is in them or on the disk', async () => {
  const path = '/sdk/v1/edge'
  expect((await ask(telltale.url, path, { method: 'GET' })).status).toBe(401)
  const { status, text } = await ask(telltale.url, path, { key: keys.server, method: 'GET' })
  expect(status).toBe(200)
  const names = await readdir(join(folder, 'delivery'))
  expect(names).toHaveLength(2)
  const kept = await Promise.all(names.map((name) => readFile(join(folder, 'delivery', name), 'utf8')))
  for (const each of [text, ...kept]) {
    for (const value of Object.values(keys)) expect(each).not.toContain(value)
  }
})

/** Reads a stream until it contains the text. */
async function hear(response: Response, text: string): Promise<string> {
  let heard = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    heard += part.value
    if (heard.includes(text)) break
  }
  await reader?.cancel()
  return heard
}

test('a change reaches the streams of an edge, and its answers', async () => {
  const stream = await fetch(`${edge.url}/sdk/v1/stream?key=${keys.client}`)
  const body = JSON.stringify({ context: { targetingKey: 'bob' } })
  // Often enough that its answers are kept.
  for (const path of Array.from({ length: 3 }, () => [bulk, `${bulk}/a`]).flat())
    expect((await ask(edge.url, path, { body })).text).not.toContain('"overridden"')
  await send('PUT', `${project}/environments/production/flags/a/overrides/bob`, { variation: 'off' })
  expect(await hear(stream, '"a"')).toContain('"flags":["a"]')
  expect((await ask(edge.url, `${bulk}/a`, { body })).text).toContain('"overridden":true')
  expect((await ask(edge.url, bulk, { body })).text).toBe((await ask(telltale.url, bulk, { body })).text)
})

test('the token of a stream works at the server and at the edge', async () => {
  const { text } = await ask(edge.url, bulk)
  const path = JSON.parse(text).eventStreams[0].endpoint.requestUri
  for (const url of [edge.url, telltale.url]) {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  }
})

test('without its server an edge answers on, says since when, and starts from its disk', async () => {
  const before = await ask(edge.url, bulk, { body: bodies[4] ?? '' })
  expect(before.headers.get('x-telltale-stale-since')).toBeNull()
  await gate.close()
  await expect.poll(async () => (await health()).staleSince, { interval: 20 }).toBeDefined()
  const during = await ask(edge.url, bulk, { body: bodies[4] ?? '' })
  expect([during.text, during.tag]).toEqual([before.text, before.tag])
  expect(Date.parse(during.headers.get('x-telltale-stale-since') ?? '')).toBeGreaterThan(0)
  // A key that nothing is known of can be valid.
  expect((await ask(edge.url, bulk, { key: 'unknown' })).status).toBe(503)

  await edge.stop()
  edge = await startEdge()
  const after = await ask(edge.url, bulk, { body: bodies[4] ?? '' })
  expect([after.text, after.tag]).toEqual([before.text, before.tag])
  const { ready, environments } = await health()
  expect(ready).toBe(true)
  expect(environments).toMatchObject([{ environment: 'production', state: 'stale' }])
  expect(Date.parse(environments[0].confirmedAt)).toBeGreaterThan(Date.now() - 60_000)

  await send('PUT', `${project}/environments/production/flags/a/overrides/eve`, { variation: 'off' })
  await gate.open()
  await expect.poll(async () => (await health()).staleSince, { interval: 20 }).toBeUndefined()
  const body = JSON.stringify({ context: { targetingKey: 'eve' } })
  await expect
    .poll(async () => (await ask(edge.url, `${bulk}/a`, { body })).text)
    .toContain('"overridden":true')
})

test('a new key works at once, and a revoked one ends', async () => {
  const path = `${project}/environments/production/keys`
  const { key, value } = await send('POST', path, { kind: 'client', label: 'New' })
  expect((await ask(edge.url, bulk, { key: value })).status).toBe(200)
  await send('DELETE', `${path}/${key.id}`)
  await expect.poll(async () => (await ask(edge.url, bulk, { key: value })).status).toBe(401)
})

/** The edge reports its counts when it stops. */
async function restartEdge(): Promise<void> {
  await edge.stop()
  edge = await startEdge()
}

async function countedByServer(): Promise<number> {
  const { evaluationCounts, sql } = telltale.running.services
  await evaluationCounts.flush()
  const [row] = await sql`
    SELECT coalesce(sum(count), 0)::int AS count
    FROM evaluation_counts
    JOIN evaluation_series ON evaluation_series.id = series_id
    JOIN flags ON flags.id = flag_id
    WHERE flags.key = 'c' AND reason = 'DISABLED' AND grain = 'minute'
  `
  return Number(row?.count)
}

test('evaluations at an edge are counted by the server', async () => {
  await restartEdge()
  const before = await countedByServer()
  const body = JSON.stringify({ context: { targetingKey: 'eve' } })
  for (let count = 0; count < 4; count += 1) await ask(edge.url, `${bulk}/c`)
  // Not compressed, compressed, and unchanged, which counts nothing.
  const plain = { 'accept-encoding': 'identity' }
  for (let count = 0; count < 4; count += 1) {
    const { tag } = await ask(edge.url, bulk, { body, headers: plain })
    await ask(edge.url, bulk, { body })
    const known = await ask(edge.url, bulk, { body, headers: { ...plain, 'if-none-match': tag ?? '' } })
    expect(known.status).toBe(304)
  }
  await restartEdge()
  expect((await countedByServer()) - before).toBe(12)
})

test('an edge that is about to stop says so and still answers', async () => {
  const draining = await startEdge({ TELLTALE_DRAIN_TIME: '500' }, join(folder, 'draining'))
  const ready = () => ask(draining.url, '/health/ready', { method: 'GET' })
  expect((await ready()).status).toBe(200)
  const drained = draining.drain()
  expect([(await ready()).status, (await ask(draining.url, bulk)).status]).toEqual([503, 200])
  await drained
  await draining.stop()
})
