// Console and requests as the recording gets them, with the functions of Node in place of the browser's.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { WriteRecord } from '../replay/page-records.ts'
import { createStream } from '../replay/stream.ts'
import { startDetails } from './details.ts'

let server: Server
let url = ''
/** The console of the page: what is logged here is recorded, not shown. */
const page = globalThis.console
const ownLog = page.log

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [, kind] = (request.url ?? '').split(/[/?]/)
      const head = { 'set-cookie': 'sid=4711', 'x-api-key': 'k-17', 'x-request-id': 'r-1' }
      if (kind === 'stream') {
        response.writeHead(200, { 'content-type': 'text/event-stream', ...head })
        response.write('data: 1\n\n')
        return
      }
      if (kind === 'binary') {
        response
          .writeHead(200, { 'content-type': 'image/png', 'content-length': 100, ...head })
          .end(Buffer.alloc(100))
        return
      }
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...head })
      response.end(
        JSON.stringify({
          total: 12,
          items: [{ name: 'Bell', price: 3 }],
          user: { email: 'ada@shop.example', password: 'hunter2', card: '4111 1111 1111 1111' },
          long: 'x y '.repeat(Number(/long=(\d+)/.exec(request.url ?? '')?.[1] ?? 0)),
        }),
      )
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: `${url}/page` })
  class Nothing {}
  for (const name of ['Element', 'Node']) vi.stubGlobal(name, Nothing)
  page.log = () => undefined
})
afterEach(() => {
  vi.unstubAllGlobals()
  page.log = ownLog
})

const everything = {
  host: '*',
  path: '*',
  headers: ['content-type', 'x-request-id', 'cookie'],
  fields: ['*'],
}

/** What is recorded while `run` runs, until `count` records are there. */
async function record(
  wanted: object,
  run: () => unknown,
  count = 1,
): Promise<{ operations: ReplayOperation[]; text: string }> {
  const stream = createStream()
  stream.begin(1, 0)
  let records = 0
  const write = (one: WriteRecord, at: number) => {
    one(stream, at)
    records++
  }
  const started = startDetails({ wanted, serverUrl: `${url}/telltale`, write, report: () => undefined })
  try {
    await run()
    await vi.waitFor(() => expect(records).toBeGreaterThanOrEqual(count), 5_000)
  } finally {
    started.stop()
  }
  const bytes = stream.from(0)
  return { operations: [...decodeSegment(bytes)], text: new TextDecoder().decode(bytes) }
}

test('a console message has its level, its text and its arguments', async () => {
  const { operations } = await record({ console: true }, () => {
    page.log('%s has %d items', 'cart', 3, { items: [{ name: 'Bell' }], at: new Date(0) })
  })
  expect(operations).toMatchObject([
    {
      do: 'console',
      level: 'log',
      text: 'cart has 3 items {"items":[{"name":"Bell"}],"at":"1970-01-01T00:00:00.000Z"}',
      args: ['%s has %d items', 'cart', '3', '{"items":[{"name":"Bell"}],"at":"1970-01-01T00:00:00.000Z"}'],
    },
  ])
})

test('secrets, tokens, card numbers and e-mail addresses never leave in console messages', async () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r'
  const { text } = await record(
    { console: true, masked: ['Voucher'] },
    () => {
      page.log('login', 'ada@shop.example', { password: 'hunter2', nested: [{ apiKey: 'k-17' }] })
      page.log(jwt, `Bearer abcdefgh1234`, 'card 4111111111111111', 4111111111111111)
      page.log('token:', 'opensesame', new Map([['secret', 'swordfish']]), { voucher: 'SUMMER' })
      page.log(new Error('failed for ada@shop.example with password=hunter2'))
    },
    4,
  )
  for (const secret of [
    ...['ada@', 'hunter2', 'k-17', jwt, 'abcdefgh1234', '4111', 'opensesame', 'swordfish', 'SUMMER'],
  ]) {
    expect(text, secret).not.toContain(secret)
  }
  expect(text).toContain('[secret]')
})

test('nothing of the page runs or fails because of a message', async () => {
  let ran = 0
  const trap = {
    get secret() {
      ran++
      return 'computed'
    },
    toJSON() {
      ran++
      return 'json'
    },
  }
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no')
      },
    },
  )
  const { operations } = await record(
    { console: true },
    () => {
      page.log(trap)
      page.log(hostile)
      page.log(
        circular,
        [[[[[[1]]]]]],
        Array.from({ length: 1_000 }, (_, at) => at),
        'z'.repeat(100_000),
      )
    },
    2,
  )
  expect(ran).toBe(0)
  expect(operations).toHaveLength(2)
  const [, bounded] = operations
  expect(JSON.stringify(bounded).length).toBeLessThan(12_000)
  expect(JSON.stringify(bounded)).toContain('[circular]')
})

test('a page that logs without end is recorded to a limit, and the rest is counted', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    const { operations } = await record(
      { console: true },
      async () => {
        for (let at = 0; at < 1_000; at++) page.log(at)
        await Promise.resolve()
        vi.advanceTimersByTime(6_000)
        page.log('later')
      },
      201,
    )
    const messages = operations.filter((each) => each.do === 'console')
    expect(messages).toHaveLength(201)
    expect(operations.find((each) => each.do === 'note')).toMatchObject({
      note: { kind: 'left-out', of: 'console', count: 800 },
    })
  } finally {
    vi.useRealTimers()
  }
})

const request = (operations: readonly ReplayOperation[]) => operations.find((each) => each.do === 'request')

test('a request has the headers and fields that its rule allows', async () => {
  const rule = {
    host: '127.0.0.1',
    path: '/json',
    headers: ['content-type'],
    fields: ['total', 'items.name'],
  }
  let got: unknown
  const { operations } = await record({ requests: [rule] }, async () => {
    const answer = await fetch(`${url}/json?q=typed`, {
      method: 'post',
      headers: { 'content-type': 'application/json', 'x-request-id': 'own' },
      body: JSON.stringify({ total: 1, other: 2 }),
    })
    got = await answer.json()
  })
  expect(got).toMatchObject({ total: 12, items: [{ price: 3 }] })
  expect(request(operations)).toMatchObject({
    kind: 'fetch',
    method: 'POST',
    address: `${url}/json`,
    status: 200,
    request: {
      headers: [['content-type', 'application/json']],
      body: { state: 'text', text: '{"total":1}' },
    },
    response: {
      headers: [['content-type', 'application/json; charset=utf-8']],
      body: { state: 'text', mime: 'application/json', text: '{"total":12,"items":[{"name":"Bell"}]}' },
    },
  })
})

test('requests that no rule names are not recorded, and without rules fetch stays as it is', async () => {
  const own = fetch
  const { operations } = await record({ console: true, requests: [] }, async () => {
    expect(fetch).toBe(own)
    await fetch(`${url}/json`)
    page.log('done')
  })
  expect(operations.map((each) => each.do)).toEqual(['console'])
  const other = { ...everything, host: 'other.example' }
  const recorded = await record({ console: true, requests: [other] }, async () => {
    await fetch(`${url}/json`)
    page.log('done')
  })
  expect(recorded.operations.map((each) => each.do)).toEqual(['console'])
  expect(fetch).toBe(own)
})

test('requests of the client itself are not recorded: they carry the context of the user', async () => {
  const { operations } = await record({ requests: [everything] }, async () => {
    for (const path of ['/telltale/ofrep/v1/evaluate/flags', '/telltale/intake/v1/events', '/json'])
      await (await fetch(url + path)).text()
  })
  const addresses = operations.map((each) => (each.do === 'request' ? each.address : each.do))
  expect(addresses).toEqual([`${url}/json`])
})

test('credentials never leave, whatever a rule allows', async () => {
  // What the settings refuse, a browser refuses again.
  const headers = [
    'authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'proxy-authorization',
    'x-request-id',
  ]
  const { operations, text } = await record({ requests: [{ ...everything, headers }] }, async () => {
    const answer = await fetch(`${url}/json`, {
      method: 'POST',
      headers: { Authorization: 'Basic c2VjcmV0OnNlY3JldA', 'X-Api-Key': 'k-18', 'X-Request-Id': 'r-0' },
      body: new URLSearchParams({ name: 'Ada', password: 'hunter3', mail: 'ada@shop.example' }),
    })
    await answer.text()
  })
  for (const secret of ['c2VjcmV0', 'k-17', 'k-18', '4711', 'hunter', 'ada@', '4111']) {
    expect(text, secret).not.toContain(secret)
  }
  const found = request(operations)
  expect(found).toMatchObject({
    request: {
      headers: [['x-request-id', 'r-0']],
      body: { text: 'name=Ada\npassword=[secret]\nmail=[email]' },
    },
    response: { headers: [['x-request-id', 'r-1']] },
  })
  expect(text).toContain('"password":"[secret]"')
})

test('bodies that are binary, endless or too large have only their size and type', async () => {
  const { operations } = await record(
    { requests: [everything] },
    async () => {
      const [binary, endless] = await Promise.all([fetch(`${url}/binary`), fetch(`${url}/stream`)])
      expect((await binary.arrayBuffer()).byteLength).toBe(100)
      await endless.body?.cancel()
      const long = await fetch(`${url}/json?long=100000`)
      expect((await long.text()).length).toBeGreaterThan(400_000)
    },
    3,
  )
  const bodies = operations.map((each) => (each.do === 'request' ? each.response.body : undefined))
  expect(bodies).toContainEqual({ state: 'binary', size: 100, mime: 'image/png', text: '' })
  expect(bodies).toContainEqual({ state: 'unread', size: 0, mime: 'text/event-stream', text: '' })
  const cut = bodies.find((body) => body?.state === 'cut')
  expect(cut?.text.length).toBeLessThanOrEqual(16_384)
  expect(cut?.text).not.toMatch(/hunter2|ada@|4111/)
})

test('the page gets its own response: unread, not delayed, and its failures', async () => {
  const { operations } = await record(
    { requests: [everything] },
    async () => {
      const answer = await fetch(
        new Request(`${url}/json`, {
          method: 'POST',
          body: '{"a":1}',
          headers: { 'content-type': 'application/json' },
        }),
      )
      expect(answer.bodyUsed).toBe(false)
      expect(await answer.clone().json()).toMatchObject({ total: 12 })
      expect(await answer.json()).toMatchObject({ total: 12 })
      await expect(fetch('http://127.0.0.1:1/refused')).rejects.toThrow('fetch failed')
      await expect(fetch(`${url}/json`, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
    },
    3,
  )
  const requests = operations.filter((each) => each.do === 'request')
  expect(requests[0]).toMatchObject({ request: { body: { text: '{"a":1}' } } })
  expect(requests.map(({ status }) => status).sort()).toEqual([0, 0, 200])
})

test('what no server would send records nothing', async () => {
  const own = page.log
  for (const wanted of [
    undefined,
    null,
    'x',
    { console: 'yes', requests: 'all' },
    { requests: [null, {}] },
  ]) {
    const started = startDetails({
      wanted,
      serverUrl: url,
      write: () => expect.unreachable(),
      report: () => undefined,
    })
    expect(page.log).toBe(own)
    started.stop()
  }
})
