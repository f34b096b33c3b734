// Flagsmith's calls at an edge: the same answers as those of the server, and none without the traits that it keeps.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usualTiming } from '@telltale/node/follow'
import { type Gate, openGate } from '@telltale/node/testing/gate'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { createLog } from '../../platform/process/log.ts'
import { readEdgeConfig } from './edge-config.ts'
import { type RunningEdge, serveEdge } from './serve-edge.ts'

const keys = { client: '', server: '' }
const project = '/api/v1/projects/shop'
let telltale: Telltale
let owner: SomePerson
let gate: Gate
let folder: string
let edge: RunningEdge

async function send(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

function startEdge(env: Record<string, string> = {}) {
  const args = ['--server', gate.url, '--key', keys.server, '--port', '0', '--data', folder]
  const config = readEdgeConfig([...args, '--log-level', 'silent'], env)
  return serveEdge({
    config,
    log: createLog('silent'),
    timing: { ...usualTiming, poll: 100 },
    settingsEvery: 100,
  })
}

async function ask(url: string, path: string, { key = keys.client, method = 'GET', body = {} } = {}) {
  const response = await fetch(`${url}/flagsmith/api/v1/${path}`, {
    method,
    headers: { 'x-environment-key': key, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  return { status, text: await response.text(), updatedAt: headers.get('x-flagsmith-document-updated-at') }
}
type Asked = Parameters<typeof ask>[2]
const both = (path: string, given: Asked = {}) =>
  Promise.all([edge.url, telltale.url].map((url) => ask(url, path, given)))

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  for (const kind of ['client', 'server'] as const)
    keys[kind] = (await send('POST', `${project}/environments/production/keys`, { kind, label: kind })).value
  const vips = { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'vip' }] }
  await send('POST', `${project}/flags`, { key: 'a', name: 'a', valueType: 'boolean', clientVisible: true })
  await send('PUT', `${project}/environments/production/flags/a/config`, {
    ...{ enabled: true, offVariation: 'off', prerequisites: [], version: 1 },
    rules: [{ when: vips, serve: { variation: 'on' } }],
    fallthrough: { variation: 'off' },
  })
  gate = await openGate(telltale.url)
  folder = await mkdtemp(join(tmpdir(), 'telltale-edge-flagsmith-'))
  edge = await startEdge()
})
afterAll(async () => {
  await edge?.stop()
  await gate?.close()
  await telltale?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})
beforeEach(() => gate.open())

const vip = { identifier: 'mara', traits: [{ trait_key: 'plan', trait_value: 'vip' }] }

test('flags, documents and errors are the same', async () => {
  for (const key of [keys.client, keys.server, '']) {
    for (const path of ['flags/', 'flags/?feature=a', 'flags/?feature=none', 'environment-document/']) {
      const [ours, theirs] = await both(path, { key })
      const { updatedAt: _ours, ...rest } = ours ?? {}
      expect(rest, path).toEqual({ status: theirs?.status, text: theirs?.text })
    }
  }
})

test('the server answers for an identity, with the traits that it keeps of it', async () => {
  expect((await ask(edge.url, 'identities/', { method: 'POST', body: vip })).status).toBe(200)
  const [ours, theirs] = await both('identities/?identifier=mara')
  expect(ours?.text).toContain('"trait_value":"vip"')
  expect(ours).toEqual(theirs)
  const trait = { identity: { identifier: 'mara' }, trait_key: 'plan', trait_value: 'free' }
  expect((await ask(edge.url, 'traits/', { method: 'POST', body: trait })).status).toBe(200)
  expect((await ask(telltale.url, 'identities/?identifier=mara')).text).toContain('"trait_value":"free"')
  const [wrong, same] = await both('identities/', { method: 'POST', body: { identifier: 'x', traits: 7 } })
  expect(wrong).toEqual(same)
})

test('without its server an edge refuses identities, and answers what needs no kept traits', async () => {
  await gate.close()
  const named = await ask(edge.url, 'identities/', { method: 'POST', body: vip })
  expect([named.status, named.text]).toEqual([503, expect.stringContaining('cannot reach')])
  const unnamed = await ask(edge.url, 'identities/', { method: 'POST', body: { traits: vip.traits } })
  expect([unnamed.status, JSON.parse(unnamed.text).flags[0].enabled]).toEqual([200, true])
  expect((await ask(edge.url, 'flags/')).status).toBe(200)
})

test('a setting refuses identities without asking the server', async () => {
  await edge.stop()
  edge = await startEdge({ TELLTALE_EDGE_IDENTITIES: 'refuse' })
  for (const [method, path] of [
    ['GET', 'identities/?identifier=mara'],
    ['PUT', 'traits/bulk/'],
  ] as const) {
    const answer = await ask(edge.url, path, { method, body: [] })
    expect([answer.status, JSON.parse(answer.text).detail]).toEqual([
      501,
      expect.stringContaining('kept traits'),
    ])
  }
})
