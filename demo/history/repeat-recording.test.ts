// A recorded visit is repeated at another time, with other ids, as another user would have had it.

import { EventContext, eventSchemas } from '@telltale/core/contract/events'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { findPerson } from './people.ts'
import { createRandom } from './random.ts'
import type { Recording } from './recording.ts'
import { repeatRecording } from './repeat-recording.ts'
import type { TapeOptions } from './tape.ts'

const begun = Date.UTC(2026, 0, 1)
const startedAt = Date.UTC(2026, 10, 19, 12)
const [session, tab, view, vital, state] = Array.from(
  { length: 5 },
  (_, index) => `01a1ff95-7e3f-4e69-b15d-00000000000${index}`,
) as [string, string, string, string, string]
const read = { kind: 'context' as const, index: 0, session, tab, view, page: '/', url: '{shop}/c/city' }
const recording: Recording = {
  name: 'one',
  story: 'order',
  device: 'desktop',
  flags: { checkout: 'one-page' },
  startedAt: begun,
  endedAt: begun + 20_000,
  contexts: [read, { ...read, reads: [{ flag: 'checkout', variation: 'one-page' }] }],
  events: [
    { kind: 'view', id: session, at: begun, context: 0, name: 'load' },
    { kind: 'vital', id: vital, at: begun + 900, context: 0, name: 'LCP', value: 12 },
    {
      kind: 'error',
      id: tab,
      at: begun + 5_000.4,
      context: 1,
      source: 'uncaught',
      handled: false,
      type: 'ReferenceError',
      message: 'scheduler is not defined',
      stack: JSON.stringify([{ name: 'pay', source: 'pages/pay.tsx', code: 'await pay()' }]),
    },
    {
      kind: 'view_state',
      id: state,
      at: begun + 9_000,
      context: 1,
      rev: 1,
      startedAt: begun,
      duration: 9_000,
      active: false,
      exit: 'unload',
      vitals: { LCP: 12 },
      actions: 0,
      resources: 0,
      errors: 1,
      longFrames: 0,
      frustrations: 0,
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
}

const drawn = { flag: 'checkout', variation: 'one-page', split: '7', epoch: 2, by: 'targetingKey', unit: 'u' }
const optionsOf = (index: number): TapeOptions => ({
  random: createRandom(`test ${index}`),
  person: findPerson('test', index),
  startedAt,
  shop: 'https://shop.example/demo',
  scripts: {
    script: 'assets/index-2.js',
    style: 'assets/index-2.css',
    locationOf: () => ({ file: 'assets/index-2.js', line: 7, column: 21 }),
  },
  version: '2.0',
  referrer: '',
  flags: new Map([['checkout', { value: 'one-page', read: drawn }]]),
  outage: undefined,
  quickViewBroken: undefined,
})
const indexOf = (engine: string) =>
  Array.from({ length: 100 }, (_, index) => index).find(
    (index) => findPerson('test', index).engine === engine,
  ) ?? -1

test('all data of a visit belongs together, at its new time and place', () => {
  const options = optionsOf(indexOf('chromium'))
  const { timeline, segments } = repeatRecording(recording, options)
  const [first, , error] = timeline
  expect(error).toMatchObject({
    at: startedAt + 5_000,
    event: {
      at: startedAt + 5_000,
      stack:
        'ReferenceError: scheduler is not defined\n    at pay (https://shop.example/demo/assets/index-2.js:7:21)',
    },
    context: {
      version: '2.0',
      hasReplay: true,
      anonymousId: options.person.anonymousId,
      url: 'https://shop.example/demo/c/city',
      reads: [drawn],
    },
  })
  const { context, segment } = segments[0]?.header ?? {}
  expect(context).toMatchObject({ session: first?.context.session, tab: first?.context.tab })
  expect(segment).toMatchObject({ startedAt: startedAt + 1_000, endedAt: startedAt + 6_000 })
  for (const { event, context: reported } of timeline) {
    expect(Compile(eventSchemas[event.kind]).Check(event)).toBe(true)
    expect(Compile(EventContext).Check(reported)).toBe(true)
    expect(JSON.stringify([event, reported])).not.toContain('01a1ff95')
  }
  expect(JSON.stringify(repeatRecording(recording, optionsOf(indexOf('chromium'))))).toBe(
    JSON.stringify({ timeline, segments }),
  )
})

test('every user has their own speed, the same in the vital and in its view', () => {
  const measured = Array.from({ length: 20 }, (_, index) => {
    const { timeline } = repeatRecording(recording, optionsOf(index))
    const [value] = timeline.flatMap(({ event }) => (event.kind === 'vital' ? [event.value] : []))
    const [vitals] = timeline.flatMap(({ event }) => (event.kind === 'view_state' ? [event.vitals] : []))
    expect(vitals).toEqual({ LCP: value })
    return value
  })
  expect(new Set(measured).size).toBeGreaterThan(15)
  expect(Math.min(...measured.map(Number))).toBeGreaterThan(300)
})

test('an error is spelled as the browser of the user spells it', () => {
  const { timeline } = repeatRecording(recording, optionsOf(indexOf('safari')))
  const [error] = timeline.flatMap(({ event }) => (event.kind === 'error' ? [event] : []))
  expect(error).toMatchObject({
    message: "Can't find variable: scheduler",
    stack: 'pay@https://shop.example/demo/assets/index-2.js:7:21',
  })
})
