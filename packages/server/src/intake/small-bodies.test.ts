// Small bodies that expand to large ones in memory: each stops at a limit, and the memory kept for them is limited too.

import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import { convertProfile } from '@telltale/core/telemetry/datadog/convert-profile'
import { readAbout } from '@telltale/core/telemetry/datadog/read-envelope'
import { foldProfile } from '@telltale/core/telemetry/fold-profile'
import { v7 as newId } from 'uuid'
import { expect, test } from 'vitest'
import type { KnownEnvironment } from '../organisation/keys/known-keys.ts'
import { createMemoryBudget } from '../platform/memory/memory-budget.ts'
import { hideInRecords, hideInSegment } from './attachments/hide-in-records.ts'
import { readBatch } from './datadog/read-batch.ts'
import { createDatadogViews } from './datadog/views.ts'
import { createSplitter } from './events/steps/split-body.ts'
import { createKnownSessions } from './foreign-flags/known-sessions.ts'
import { noteTraits } from './foreign-flags/persons.ts'

const mebibyte = 1_024 * 1_024
const openClaim = () => createMemoryBudget(1_024 * mebibyte).open('telemetry')
const view = (more: object = {}) => ({
  type: 'view',
  date: Date.now(),
  session: { id: newId() },
  view: { id: newId() },
  ...more,
})

test('a body of tiny pieces is refused before the last of them', () => {
  let taken = 0
  const options = { mostBytes: limits.eventSize, claim: openClaim() }
  const splitter = createSplitter(() => {
    taken += 1
  }, options)
  const tiny = Buffer.from('{}\n'.repeat(10_000))
  const pushMany = () => {
    for (let count = 0; count < 100; count++) splitter.push(tiny)
  }
  expect(pushMany).toThrow(expect.objectContaining({ code: 'payload-too-large' }))
  expect(taken).toBe(limits.piecesPerBatch)
})

test('only counts are kept of dropped events', async () => {
  const lines = `${JSON.stringify(view())}\n${'{}\n'.repeat(60_000)}`
  const { dropped, views } = await readBatch(Readable.from([Buffer.from(lines)]), { claim: openClaim() })
  expect(views).toHaveLength(1)
  expect(dropped.get('too_many')).toEqual(new Map([['unknown', 60_001 - limits.eventsPerBatch]]))
})

test('an event of Datadog that nests without end is dropped, and costs no other', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const hostile = ['view', 'action', 'error'].map((type) =>
    JSON.stringify(view({ type, context: 'deep' })).replace('"deep"', `{"a":${deep}}`),
  )
  const body = [...hostile, JSON.stringify(view())].join('\n')
  const { dropped, views } = await readBatch(Readable.from([Buffer.from(body)]), { claim: openClaim() })
  expect(views).toHaveLength(1)
  expect(dropped.get('too_deep')?.get('unknown')).toBe(3)
})

test('views are remembered within a bound of memory, however their text and their changes are', () => {
  const views = createDatadogViews()
  const environment = { id: newId() } as Partial<KnownEnvironment> as KnownEnvironment
  const origin = {
    environmentId: environment.id,
    projectId: '',
    receivedAt: 0,
    source: '',
    country: '',
    browser: '',
    browserVersion: '',
    os: '',
    device: '',
    isBot: false,
    bot: false,
  } as unknown as Parameters<typeof views.take>[0]['origin']
  const take = (viewId: string, raw: object, memoryBytes: number) =>
    views.take({ viewId, environment, origin, raw: { ...raw }, memoryBytes })

  for (let count = 0; count < 100; count++) take(newId(), view(), 6 * mebibyte)
  expect([...views.all()].length).toBeLessThan(25)

  // A small change does not reset the size of earlier large ones.
  const viewId = newId()
  take(viewId, view({ _dd: { document_version: 1 } }), 1_000)
  for (let version = 2; version < 40; version++) {
    take(viewId, { type: 'view_update', _dd: { document_version: version } }, mebibyte)
  }
  take(viewId, { type: 'view_update', _dd: { document_version: 40 } }, 100)
  expect(views.find(environment.id, viewId)?.history.changes.length ?? 0).toBeLessThan(8)

  // Many that began small and grew.
  for (let count = 0; count < 100; count++) {
    const grown = newId()
    take(grown, view({ _dd: { document_version: 1 } }), 1_000)
    take(grown, { type: 'view_update', _dd: { document_version: 2 } }, 6 * mebibyte)
  }
  expect([...views.all()].length).toBeLessThan(25)
})

test('the memory of a session is bounded, whatever its views contain', async () => {
  const known = createKnownSessions(() => 0)
  const hollow = Array.from({ length: 100_000 }, () => ({}))
  const long = 'x'.repeat(mebibyte)
  for (let count = 0; count < 300; count++) {
    const session = known.make('e', String(count))
    const traits = { usr: { id: 'ada', plan: 'team', long }, account: {}, context: { hollow, cart: 3 } }
    const event = { kind: 'view', id: newId(), at: 0, context: 0 } as const
    noteTraits(session, {
      event,
      about: { session: newId(), userKey: 'ada' },
      actions: [],
      flags: {},
      traits,
    })
    expect(session.attributes).toEqual({ plan: 'team', cart: 3, account: {} })
    known.weigh('e', String(count), session)
  }
  // Small ones count by their actual size.
  const traits = { usr: { id: 'ada' }, account: {}, context: { some: hollow.slice(0, 5_000) } }
  const first = known.make('e', 'first')
  for (let count = 0; count < 400; count++) {
    const session = count === 0 ? first : known.make('e', `of many ${count}`)
    const event = { kind: 'view', id: newId(), at: 0, context: 0 } as const
    noteTraits(session, { event, about: { session: newId() }, actions: [], flags: {}, traits })
    known.weigh('e', count === 0 ? 'first' : `of many ${count}`, session)
  }
  expect(known.find('e', 'first') === undefined).toBe(true)

  const about = readAbout({
    ...view(),
    view: { id: newId(), url: long, name: long },
    version: long,
    usr: { id: long },
  })
  for (const text of [about?.url, about?.page, about?.version, about?.userKey])
    expect(text?.length).toBeLessThan(10_000)
})

test('stacks that share long frames are rejected if the expanded profile would be too large', () => {
  const depth = 5_200
  const stacks = Array.from({ length: depth }, (_, index) => [0, index - 1]).flat()
  const samples = Array.from({ length: limits.profileStacks }, (_, index) => [10, depth - 1 - index]).flat()
  const profile = (file: string) => ({ texts: ['f', file], frames: [0, 1, 1, 1], stacks, samples })
  const options = { interval: 10, cleanName: (name: string) => name, cleanFile: (file: string) => file }
  expect(foldProfile(profile('x'.repeat(2_000)), options)).toBeUndefined()
  expect(foldProfile(profile('x'), options)).toHaveLength(limits.profileStacks)
})

test('a deep stack in a hundred views is rejected as a profile', () => {
  const depth = 60_000
  const clocks = (relative: number) => ({ relative, timeStamp: relative })
  const trace = (views: number) => ({
    resources: ['https://shop.example/app.js'],
    frames: [{ name: 'f', resourceId: 0 }],
    stacks: Array.from({ length: depth }, (_, id) =>
      id === 0 ? { frameId: 0 } : { frameId: 0, parentId: id - 1 },
    ),
    samples: Array.from({ length: views }, (_, id) => ({ timestamp: id * 100 + 50, stackId: depth - 1 })),
    views: Array.from({ length: views }, (_, id) => ({ viewId: newId(), startClocks: clocks(id * 100) })),
    startClocks: clocks(0),
    endClocks: clocks(views * 100),
    clocksOrigin: clocks(0),
  })
  expect(convertProfile(trace(2))).toHaveLength(2)
  expect(convertProfile(trace(100))).toBeUndefined()
})

test.each([
  ['of our recorder', hideInRecords, '{"type":4,"data":{"href":"https://shop.example/?secret=1"}}\n'],
  [
    'of Datadog',
    hideInSegment,
    '{"type":4,"data":{"width":1,"href":"https:\\/\\/shop.example\\/?secret=1"}},',
  ],
])('hiding addresses in a recording %s does not block other requests', async (_whose, hideIn, record) => {
  const hide = (text: string) => text.replace('secret=1', 'secret=[hidden]')
  const count = 20_000
  const text = Buffer.from(record.repeat(count))
  let turns = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await setImmediate()
      turns += 1
    }
  })()
  const shown = String(await hideIn(text, { hide, claim: openClaim() }))
  isOver = true
  await others
  expect(shown.match(/\?secret=\[hidden\]"/g)).toHaveLength(count)
  expect(shown).not.toContain('secret=1')
  expect(turns).toBeGreaterThan(5)
  const small = createMemoryBudget(mebibyte).open('telemetry')
  await expect(hideIn(text, { hide, claim: small })).rejects.toMatchObject({ code: 'payload-too-large' })
  const plain = Buffer.from('{"type":4,"data":{"href":"https://shop.example/"}}\n')
  expect(await hideIn(plain, { hide, claim: small })).toBe(plain)
})
