// Recorded visits are repeated at other times, with other ids, by users who were served the same variations.

import { EventContext, eventSchemas } from '@telltale/core/contract/events'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import type { Decision } from './decide.ts'
import { generateRecordedVisits, type RecordedOptions } from './generate-recorded-visits'
import type { Person } from './people.ts'
import type { Recording } from './recording.ts'

const hour = 3_600_000
const until = Date.UTC(2026, 10, 19, 12)
const begun = Date.UTC(2026, 0, 1)
const [session, tab, view] = ['s', 't', 'v'].map(
  (_, index) => `01a1ff95-7e3f-4e69-b15d-00000000000${index}`,
) as [string, string, string]

const read = { kind: 'context' as const, index: 0, session, tab, view, page: '/', url: '{shop}/c/city' }
const recorded = (name: string, variation: string): Recording => ({
  name,
  device: 'desktop',
  flags: { checkout: variation },
  startedAt: begun,
  endedAt: begun + 20_000,
  contexts: [read, { ...read, reads: [{ flag: 'checkout', variation }] }],
  events: [
    { kind: 'view', id: session, at: begun, context: 0, name: 'load' },
    {
      kind: 'error',
      id: tab,
      at: begun + 5_000.4,
      context: 1,
      source: 'uncaught',
      handled: false,
      type: 'TypeError',
      message: 'no',
      stack: JSON.stringify([{ name: 'pay', source: 'pages/pay.tsx', code: 'await pay()' }]),
    },
  ],
  segments: [
    {
      header: {
        context: { ...read },
        segment: {
          index: 0,
          startedAt: begun + 1_000,
          endedAt: begun + 6_000,
          records: 1,
          full: true,
          format: 'rrweb-2' as const,
          reason: 'sampled' as const,
          assets: [],
        },
      },
      body: 'cGxheWVk',
    },
  ],
  assets: [],
})

/** Half of the users, by the last digit of the key. */
const decide = ({ anonymousId }: Person, _at?: number): Decision => {
  const variation = Number.parseInt(anonymousId.slice(-1), 16) % 2 === 0 ? 'old' : 'new'
  const drawn = { flag: 'checkout', variation, split: '7', epoch: 2, by: 'targetingKey', unit: anonymousId }
  return { flags: new Map([['checkout', { value: variation, read: drawn }]]), evaluations: new Map() }
}
const options: RecordedOptions = {
  seed: 'test',
  from: until - 24 * hour,
  until,
  shop: 'https://shop.example/demo',
  people: 500,
  scripts: {
    script: 'assets/index-2.js',
    style: 'assets/index-2.css',
    locationOf: () => ({ file: 'assets/index-2.js', line: 7, column: 21 }),
  },
  recordings: [recorded('one', 'old'), recorded('two', 'new')],
  count: 8,
  decide,
  versionAt: () => '2.0',
}

test('visits are spread over the period and end within it', () => {
  const reported = [...generateRecordedVisits(options)]
  expect(reported).toHaveLength(8)
  const parts = reported.map(({ startedAt }) => Math.floor((until - startedAt - 1) / (3 * hour)))
  expect(parts).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  for (const { timeline: events } of reported) expect(events.at(-1)?.at).toBeLessThan(until)
})

test('users read the variations they were served, and all data of a visit belongs together', () => {
  const reported = [...generateRecordedVisits(options)]
  const variations = new Set<string>()
  for (const { startedAt, person, timeline: events, segments } of reported) {
    const [first, second] = events
    const reads = second?.context.reads ?? []
    expect(reads).toEqual([decide(person).flags.get('checkout')?.read])
    variations.add(reads[0]?.variation ?? '')
    expect(second).toMatchObject({
      at: startedAt + 5_000,
      event: {
        at: startedAt + 5_000,
        stack: 'TypeError: no\n    at pay (https://shop.example/demo/assets/index-2.js:7:21)',
      },
      context: {
        version: '2.0',
        hasReplay: true,
        anonymousId: person.anonymousId,
        url: 'https://shop.example/demo/c/city',
      },
    })
    const { context, segment } = segments[0]?.header ?? {}
    expect(context).toMatchObject({ session: first?.context.session, tab: first?.context.tab })
    expect(segment).toMatchObject({ startedAt: startedAt + 1_000, endedAt: startedAt + 6_000 })
    for (const { event, context: reported } of events) {
      expect(Compile(eventSchemas[event.kind]).Check(event)).toBe(true)
      expect(Compile(EventContext).Check(reported)).toBe(true)
    }
  }
  expect([...variations].sort()).toEqual(['new', 'old'])
  expect(new Set(reported.flatMap(({ timeline }) => timeline.map(({ event }) => event.id))).size).toBe(16)
  expect(new Set(reported.map(({ timeline }) => timeline[0]?.context.session)).size).toBe(8)
  expect(JSON.stringify([...generateRecordedVisits(options)])).toBe(JSON.stringify(reported))
})

test('variations that are not served do not occur', () => {
  const recordings = [recorded('never', 'other')]
  expect([...generateRecordedVisits({ ...options, recordings })]).toEqual([])
})

test('a variation that was served for an hour occurs as often as expected', () => {
  const rare = { from: until - 6 * hour, until: until - 5 * hour }
  const served: RecordedOptions = {
    ...options,
    decide(person, at) {
      const decision = decide(person, at)
      const glance = at >= rare.from && at < rare.until ? 'on' : 'off'
      const drawn = { flag: 'glance', variation: glance, split: '8', epoch: 1, by: 'targetingKey', unit: '1' }
      return { ...decision, flags: new Map([...decision.flags, ['glance', { value: glance, read: drawn }]]) }
    },
    recordings: [recorded('one', 'old'), { ...recorded('rare', 'new'), flags: { glance: 'on' } }],
  }
  const reported = [...generateRecordedVisits(served)].filter(
    ({ startedAt }) => startedAt >= rare.from && startedAt < rare.until,
  )
  expect(reported.length).toBeGreaterThanOrEqual(4)
})
