// What the client sends, and what it does when it cannot: against a server that records.

import { expect, onTestFinished, test, vi } from 'vitest'
import type { Flags, FlagsOptions } from '../client.ts'
import { usualTiming } from '../follow.ts'
import { startClient } from '../start-client.ts'
import { openIntake, type RecordedIntake } from '../testing/recorded-intake.ts'
import type { DeliveryTiming } from './deliver.ts'

const arms = [
  { variation: 'off', weight: 50_000, ranges: [[0, 50_000]] },
  { variation: 'on', weight: 50_000, ranges: [[50_000, 100_000]] },
]
const flag = (key: string, fallthrough: object) => ({
  key,
  version: 1,
  valueType: 'boolean',
  clientVisible: true,
  variations: [
    { key: 'off', value: false },
    { key: 'on', value: true },
  ],
  config: { enabled: true, offVariation: 'off', rules: [], prerequisites: [], fallthrough, salt: 's' },
  overrides: {},
})
const split = { split: { id: '7', epoch: 2, by: 'targetingKey', arms } }
const bootstrap = {
  version: '1',
  environment: 'production',
  flags: [flag('plain', { variation: 'on' }), flag('half', split)],
  segments: [],
}

const quick: DeliveryTiming = { collect: 20, attempts: 3, longestBackoff: 40 }

async function open(options: Partial<FlagsOptions> = {}, timing = quick) {
  const intake = await openIntake()
  const faults: string[] = []
  const flags = startClient(
    { url: intake.url, key: 'ser.k', bootstrap, onFault: ({ message }) => faults.push(message), ...options },
    usualTiming,
    timing,
  )
  onTestFinished(async () => {
    intake.answer(400)
    await flags.close()
    await intake[Symbol.asyncDispose]()
  })
  return { intake, flags, faults }
}

const arrived = async (intake: RecordedIntake, count: number) => {
  await expect.poll(() => intake.events.length, { interval: 5 }).toBe(count)
  return intake.events
}

test('exposures are sent once per subject and variation, with the arm, without being asked for', async () => {
  const { intake, flags } = await open({ telemetry: { service: 'orders', version: '1.2' } })
  for (const targetingKey of ['mara', 'ben', 'mara', 'mara'])
    flags.getBoolean('half', false, { targetingKey })
  const events = await arrived(intake, 2)
  expect(events.map(({ kind, userKey, flag: read }) => [kind, userKey, read])).toEqual([
    ['exposure', 'mara', 'half'],
    ['exposure', 'ben', 'half'],
  ])
  expect(events[0]).toMatchObject({
    service: 'orders',
    version: '1.2',
    session: '00000000-0000-0000-0000-000000000000',
    reads: [{ flag: 'half', split: '7', epoch: 2, by: 'targetingKey', unit: 'mara' }],
  })
  expect([...intake.keys]).toEqual(['Bearer ser.k'])
})

test('exposures, or everything, can be left out', async () => {
  const without = await open({ telemetry: { exposures: false } })
  without.flags.getBoolean('half', false, { targetingKey: 'mara' })
  without.flags.track('order')
  expect((await arrived(without.intake, 1))[0]).toMatchObject({ kind: 'custom', name: 'order' })

  const silent = await open({ telemetry: false })
  silent.flags.getBoolean('half', false, { targetingKey: 'mara' })
  silent.flags.track('order')
  silent.flags.captureError(new Error('no'))
  await silent.flags.flush()
  expect([silent.intake.batches, silent.intake.counted]).toEqual([[], []])
})

test('what was served is counted, and a count that could not be sent is sent with the next', async () => {
  const { intake, flags } = await open({ telemetry: { exposures: false } })
  const read = (targetingKey: string) => flags.getBoolean('half', false, { targetingKey })
  const served = ['mara', 'ben', 'mara', 'eve'].map(read)
  intake.answer(503)
  await flags.flush()
  expect(intake.counted).toEqual([])
  intake.answer(202)
  flags.getBoolean('plain', false)
  flags.getBoolean('missing', false)
  await flags.flush()
  const count = (variation: boolean) => served.filter((value) => value === variation).length
  const half = { flag: 'half', reason: 'SPLIT', split: '7', epoch: 2 }
  const expected = [
    { ...half, variation: 'on', count: count(true) },
    { ...half, variation: 'off', count: count(false) },
    { flag: 'plain', reason: 'STATIC', variation: 'on', count: 1 },
  ]
  expect(intake.counted).toHaveLength(expected.filter((one) => one.count > 0).length)
  expect(intake.counted).toEqual(expect.arrayContaining(expected.filter((one) => one.count > 0)))
  await flags.flush()
  expect(intake.counted).toHaveLength(expected.filter((one) => one.count > 0).length)
})

test('inside of a context everything knows the user and the variations read so far', async () => {
  const { intake, flags } = await open({ telemetry: { exposures: false } })
  await flags.withContext({ targetingKey: 'mara' }, async () => {
    expect(flags.getBoolean('plain', false)).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    flags.track('order', { value: 12, attributes: { plan: 'pro', nested: {} as never, not: Number.NaN } })
    // For another user: neither their variations nor mara's belong to the error.
    flags.getBoolean('half', false, { targetingKey: 'ben' })
    flags.captureError(new TypeError('no'), { context: { targetingKey: 'ben' } })
    flags.captureError(new TypeError('no'))
  })
  flags.track('outside')
  const [order, ofBen, ofMara, outside] = await arrived(intake, 4)
  expect(order).toMatchObject({ userKey: 'mara', name: 'order', value: 12, attributes: { plan: 'pro' } })
  expect(order?.reads).toEqual([{ flag: 'plain', variation: 'on' }])
  expect(ofBen).toMatchObject({ userKey: 'ben', type: 'TypeError', handled: true, source: 'reported' })
  expect(ofBen?.reads).toBeUndefined()
  expect(ofMara?.reads).toEqual([{ flag: 'plain', variation: 'on' }])
  expect(outside?.userKey).toBeUndefined()
})

test('errors and requests know the active span of OpenTelemetry, whose trace wins over that of a header', async () => {
  const { context, trace } = await import('@opentelemetry/api')
  const { NodeSDK, tracing } = await import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({ instrumentations: [], traceExporter: new tracing.InMemorySpanExporter() })
  const { intake, flags } = await open()
  flags.captureError(new Error('before it starts'))
  sdk.start()
  onTestFinished(() => sdk.shutdown())
  const span = trace.getTracer('test').startSpan('checkout')
  const { traceId, spanId } = span.spanContext()
  const traceOfHeader = 'a'.repeat(32)
  context.with(trace.setSpan(context.active(), span), () =>
    flags.withContext(
      {},
      () => {
        flags.captureError(new Error('no'), { attributes: { step: 2 } })
        flags.captureRequest({ method: 'GET', url: '/', status: 200, duration: 1 })
      },
      { traceId: traceOfHeader },
    ),
  )
  flags.withContext({}, () => flags.captureError(new Error('outside')), { traceId: traceOfHeader })
  const [early, error, request, outside] = await arrived(intake, 4)
  expect(early).not.toHaveProperty('traceId')
  expect(error).toMatchObject({ traceId, attributes: { 'span.id': spanId, step: 2 } })
  expect(request).toMatchObject({ traceId, attributes: { 'span.id': spanId } })
  expect(outside).toMatchObject({ traceId: traceOfHeader })
  expect(outside?.attributes).toBeUndefined()
})

test('a user who is known late, and a context that throws', async () => {
  const { intake, flags, faults } = await open({ telemetry: { exposures: false } })
  let user: { targetingKey: string } | undefined
  flags.withContext(
    () => user,
    () => {
      flags.track('before')
      user = { targetingKey: 'mara' }
      flags.track('after')
    },
  )
  flags.withContext(
    () => ({}),
    () => {
      flags.withContext({ targetingKey: 'ben' }, () => flags.getBoolean('half', false))
      flags.track('adopted')
    },
  )
  flags.withContext(
    () => {
      throw new Error('no session')
    },
    () => flags.track('unknown'),
  )
  const events = await arrived(intake, 4)
  expect(events.map(({ name, userKey }) => [name, userKey])).toEqual([
    ['before', undefined],
    ['after', 'mara'],
    ['adopted', 'ben'],
    ['unknown', undefined],
  ])
  expect(events[2]?.reads).toHaveLength(1)
  expect(faults).toContain('no session')
})

test('a busy server gets the same batch again, and a refusing one does not', async () => {
  const { intake, flags, faults } = await open()
  intake.answer(503)
  flags.track('one')
  await expect.poll(() => intake.batches.length, { interval: 5 }).toBeGreaterThan(1)
  intake.answer(202)
  await arrived(intake, 1)
  expect(new Set(intake.batches).size).toBe(1)
  await expect.poll(flags.telemetryStatus, { interval: 5 }).toMatchObject({ queued: 0, sent: 1 })

  intake.answer(403)
  flags.track('two')
  await expect.poll(() => flags.telemetryStatus().dropped.refused, { interval: 5 }).toBe(1)
  expect(faults.join()).toContain('refused the key (403)')
})

test('an unavailable server: attempts are limited, the queue is bounded, and both are counted', async () => {
  const { intake, flags, faults } = await open({ telemetry: { queueSize: 10 } })
  intake.answer(undefined)
  flags.track('one')
  await expect.poll(() => flags.telemetryStatus().dropped.unavailable, { interval: 5 }).toBe(1)
  expect(intake.batches).toHaveLength(quick.attempts)

  for (let index = 0; index < 20; index += 1) {
    flags.captureRequest({ method: 'GET', url: `/orders/${index}`, status: 200, duration: 1 })
  }
  // The last fifth of the queue is not for requests.
  expect(flags.telemetryStatus()).toMatchObject({ queued: 8, dropped: { full: 12 } })
  flags.captureError(new Error('rare'))
  expect(flags.telemetryStatus().queued).toBe(9)
  expect(faults.join()).toContain('queue of the Telltale client is full')
})

test('closing sends what is left, twice does no harm, and nothing is taken afterwards', async () => {
  const { intake, flags } = await open({}, { ...quick, collect: 60_000 })
  flags.track('last')
  await Promise.all([flags.close(), flags.close()])
  await flags.close()
  flags.track('too late')
  await flags.flush()
  expect(intake.events.map(({ name }) => name)).toEqual(['last'])
  expect(flags.telemetryStatus().queued).toBe(0)
})

test('closing without a server ends within its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { intake, flags } = await open({}, { ...quick, attempts: 1_000 })
  intake.answer(undefined)
  flags.track('lost')
  const closed = flags.close()
  await vi.advanceTimersByTimeAsync(5_000)
  await closed
  expect(flags.telemetryStatus()).toMatchObject({ queued: 0, dropped: { unavailable: 1 } })
})

test('malformed values are sent as far as they can be, and never throw', async () => {
  const { intake, flags } = await open()
  const loose: Pick<Flags, 'track' | 'captureRequest'> = flags
  loose.track('x'.repeat(1_000), { value: Number.POSITIVE_INFINITY, attributes: null as never })
  loose.captureRequest({ method: 'get', url: '/a?secret=1#x', status: 12.5, duration: Number.NaN })
  flags.captureError(new Error('x'.repeat(300_000)))
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap')
      },
    },
  )
  flags.captureError(hostile)
  flags.track('hostile', { context: hostile })
  const events = await arrived(intake, 5)
  expect(String(events[0]?.name)).toHaveLength(200)
  expect(events[0]?.value).toBeUndefined()
  expect(events[1]).toMatchObject({ url: '/a', status: 0, duration: 0, failed: false })
  expect(String(events[2]?.message).length).toBeLessThan(10_000)
  expect(events.map(({ kind }) => kind)).toEqual(['custom', 'resource', 'error', 'error', 'custom'])
})
