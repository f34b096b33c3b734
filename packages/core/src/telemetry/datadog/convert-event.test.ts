import { expect, test } from 'vitest'
import { parseStack } from '../stack.ts'
import { convertEvent } from './convert-event.ts'
import { stackText } from './stack-text.ts'

const id = '11111111-2222-4333-8444-555555555555'
const base = { date: 1_790_000_000_000, session: { id }, view: { id, url: 'https://shop.example/' } }
const eventOf = (type: string, own: object, more: object = {}) => {
  const converted = convertEvent({ type, ...base, [type]: { id, ...own }, ...more })
  return 'event' in converted ? converted.event : converted
}

test('stacks are formatted as by browsers', () => {
  const text = [
    'CheckoutError: a @ b',
    '  at new Cart @ https://shop.example/app.js:1:10',
    '  at async Basket.pay @ https://shop.example/app.js:2:20',
    '  at <anonymous> @ https://shop.example/app.js:3:30',
    '  at Array.map @ <anonymous>',
    '  at load(one, two) @ https://shop.example/@scope/a.js:4:40',
  ].join('\n')
  expect(parseStack(stackText(text))).toEqual([
    { function: 'new Cart', file: 'https://shop.example/app.js', line: 1, column: 10 },
    { function: 'Basket.pay', file: 'https://shop.example/app.js', line: 2, column: 20 },
    { function: '', file: 'https://shop.example/app.js', line: 3, column: 30 },
    { function: 'Array.map', file: '', line: 0, column: 0 },
    { function: 'load', file: 'https://shop.example/@scope/a.js', line: 4, column: 40 },
  ])
  expect(stackText('no frames at all')).toBe('no frames at all')
})

test.each([
  { given: { source: 'source' }, own: 'uncaught', handled: false },
  { given: { source: 'source', handling: 'unhandled' }, own: 'uncaught', handled: false },
  { given: { source: 'console', handling: 'handled' }, own: 'console', handled: true },
  { given: { source: 'custom', handling: 'handled' }, own: 'reported', handled: true },
  { given: { source: 'report', handling: 'unhandled' }, own: 'reported', handled: false },
  { given: { source: 'agent' }, own: 'reported', handled: true },
])('an error with the source $given.source is $own', ({ given, own, handled }) => {
  expect(eventOf('error', { ...given, message: 'no' })).toMatchObject({ source: own, handled })
})

test("a component stack is marked as React's", () => {
  const error = { source: 'custom', handling: 'handled', message: 'no', component_stack: 'at Cart' }
  expect(eventOf('error', error)).toMatchObject({ source: 'react', componentStack: 'at Cart' })
})

test('durations are in milliseconds; invalid, negative and infinite ones are absent', () => {
  expect(eventOf('resource', { type: 'xhr', url: '/', duration: 1_500_000 })).toMatchObject({ duration: 1.5 })
  for (const duration of [null, 'long', -1, Number.POSITIVE_INFINITY, Number.NaN]) {
    expect(eventOf('resource', { type: 'xhr', url: '/', duration })).toMatchObject({ duration: 0 })
    expect(eventOf('long_task', { duration })).toEqual({ dropped: 'invalid', kind: 'long_frame' })
  }
  expect(convertEvent({ type: 'error', ...base, date: null, error: { id } })).toMatchObject({
    dropped: 'invalid',
  })
})

test('a long task without scripts blocks for its time beyond 50 ms; the longest scripts are first', () => {
  expect(eventOf('long_task', { duration: 120e6 })).toMatchObject({
    duration: 120,
    blocking: 70,
    scripts: [],
  })
  const scripts = [
    { source_url: 'a.js', source_function_name: 'one', duration: 5e6 },
    { source_url: 'b.js', source_function_name: '', invoker: 'BUTTON#pay.onclick', duration: 90e6 },
  ]
  expect(eventOf('long_task', { duration: 120e6, blocking_duration: 60e6, scripts })).toMatchObject({
    blocking: 60,
    scripts: [
      { source: 'b.js', function: 'BUTTON#pay.onclick', ms: 90 },
      { source: 'a.js', function: 'one', ms: 5 },
    ],
  })
})

test('events of the client itself are dropped', () => {
  const quota = '/dd?ddforward=%2Fapi%2Fv2%2Fprofiling%2Fquota%3Fsession_id%3D1&ddforwardSubdomain=quota'
  expect(eventOf('resource', { type: 'fetch', url: quota })).toMatchObject({ dropped: 'own_request' })
  const discarded = { _dd: { discarded: true } }
  expect(eventOf('long_task', { duration: 1 }, discarded)).toMatchObject({ dropped: 'discarded' })
  expect(convertEvent({ type: 'telemetry' })).toMatchObject({ dropped: 'client_telemetry' })
  expect(convertEvent({ type: 'constructor', ...base })).toMatchObject({ dropped: 'unknown_kind' })
})

test("the query of a WebSocket's URL is removed", () => {
  const vital = {
    type: 'websocket',
    name: 'websocket_closed',
    websocket: { url: 'wss://a.example/live?token=1', duration: 7e6 },
  }
  expect(eventOf('vital', vital)).toMatchObject({
    kind: 'custom',
    name: 'websocket_closed',
    duration: 7,
    attributes: { 'websocket.url': 'wss://a.example/live', 'datadog.type': 'websocket' },
  })
})
