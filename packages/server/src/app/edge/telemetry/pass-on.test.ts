import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { edgeLimits } from '@telltale/core/edge-limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../platform/process/log.ts'
import { draftOf, type KeptRequest, keptHeaders, networkOf, withoutKey } from './kept-request.ts'
import { openRequestSpool, type RequestSpool } from './open-request-spool.ts'
import { type PassingOn, startPassingOn } from './pass-on.ts'
import type { Outcome } from './send-request.ts'

const environmentId = '11111111-1111-4111-8111-111111111111'
const log = createLog('silent')
const later: Outcome = { kind: 'later', reason: 'away', isFault: false, after: 0 }
const fault: Outcome = { ...later, reason: 'the server answered with 500', isFault: true }

let folder: string
let opened: RequestSpool
let passing: PassingOn | undefined

const open = async () => {
  opened = await openRequestSpool({ folder, largestBytes: 1e9, besidesBytes: () => 0, now: Date.now, log })
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-pass-on-'))
  await open()
})
afterEach(async () => {
  await passing?.stop()
  await opened.close()
  passing = undefined
  await rm(folder, { recursive: true, force: true })
})

const keep = (name: string, address = '10.0.0.0') => {
  const request = {
    url: `/${name}`,
    headers: {},
    keyId: 'key',
    address,
    body: Buffer.from(`body of ${name}`),
  }
  return opened.spool.append(draftOf(request, { environmentId, receivedAt: Date.now() - 1_000 }), 'essential')
}
function pass(send: (request: KeptRequest, waited: number) => Promise<Outcome>) {
  const { spool, segments, journal } = opened
  const wait = () => new Promise<void>((resolve) => setImmediate(resolve))
  passing = startPassingOn({ spool, segments, journal, send, now: Date.now, log, wait })
  return passing
}
const bodyOf = ({ body }: KeptRequest) => Buffer.from(body).toString()

test('requests of one client arrive in their order, however often the server was away', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `request-${index}`)
  for (const name of names) await keep(name)
  const accepted: string[] = []
  let attempts = 0
  pass(async (request, waited) => {
    attempts += 1
    expect(waited).toBeGreaterThanOrEqual(1_000)
    if (attempts % 3 !== 0) return later
    accepted.push(bodyOf(request))
    return { kind: 'accepted' }
  })
  await expect.poll(() => passing?.condition().passedOn).toBe(30)
  expect(accepted).toEqual(names.map((name) => `body of ${name}`))
})

test('a client that waits does not hold up the others, and a restart begins with what is left', async () => {
  await keep('stuck', '10.0.1.0')
  for (let index = 0; index < 10; index += 1) await keep(`other-${index}`, `10.0.${index * 7}.0`)
  const isStuck = ({ url, address }: KeptRequest) => url === '/stuck' || address === stuckLane
  const stuckLane = '10.0.1.0'
  const first = pass(async (request) => (isStuck(request) ? later : { kind: 'accepted' }))
  await expect.poll(() => first.condition().passedOn).toBeGreaterThan(5)
  expect(first.condition().since).toBeDefined()
  await first.stop()
  await opened.close()

  await open()
  const again: string[] = []
  const second = pass(async (request) => {
    again.push(request.url)
    return { kind: 'accepted' }
  })
  // The oldest one is still to be sent, so everything after it is sent again: the server recognises it.
  await expect.poll(() => second.condition().passedOn).toBe(11)
  expect(again).toContain('/stuck')
  await second.stop()
  await opened.close()

  await open()
  await keep('new')
  pass(async (request) => {
    again.push(request.url)
    return { kind: 'accepted' }
  })
  await expect.poll(() => again.at(-1)).toBe('/new')
  expect(again).toHaveLength(12)
})

test('what can never be stored is given up, at once or after many faults', async () => {
  for (const name of ['refused', 'faulty', 'fine']) await keep(name)
  const attempts: Record<string, number> = {}
  const { condition } = pass(async ({ url }) => {
    attempts[url] = (attempts[url] ?? 0) + 1
    if (url === '/refused') return { kind: 'refused', reason: 'the server answered with 400' }
    return url === '/faulty' ? fault : { kind: 'accepted' }
  })
  await expect.poll(condition).toMatchObject({ passedOn: 1, refused: 2 })
  expect(attempts).toEqual({ '/refused': 1, '/faulty': edgeLimits.edgeTelemetryFaults.value, '/fine': 1 })
})

test('what was passed on leaves the disk', async () => {
  await keep('one')
  pass(async () => ({ kind: 'accepted' }))
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.spool'))
  await expect.poll(files, { timeout: 10_000 }).toEqual(['0000000002.spool'])
  expect(opened.spool.waitingBytes()).toBe(0)
})

test('a kept request has neither the key nor the whole address of its client', () => {
  expect(withoutKey('/intake/v1/events?key=ser.a%2Fb&sent=1', 'ser.a/b')).toBe(
    '/intake/v1/events?key=relayed&sent=1',
  )
  const forward = encodeURIComponent('/api/v2/rum?dd-api-key=cli.x')
  expect(withoutKey(`/intake/datadog?ddforward=${forward}`, 'cli.x')).not.toContain('cli.x')
  expect([networkOf('198.51.100.77'), networkOf('2001:db8:1:2::3'), networkOf('unix')]).toEqual([
    '198.51.100.0',
    '2001:db8:1::',
    '',
  ])
  const headers = {
    authorization: 'Bearer ser.a',
    cookie: 'a=b',
    'dd-client-token': 'cli.x',
    'user-agent': 'x',
  }
  expect(keptHeaders(headers)).toEqual({ 'user-agent': 'x', 'dd-client-token': 'relayed' })
})
