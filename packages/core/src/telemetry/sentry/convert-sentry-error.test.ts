import { expect, test } from 'vitest'
import { clicksBefore, convertSentryError } from './convert-sentry-error.ts'

const frame = (name: string, line: number) => ({
  ...{ filename: 'https://shop.example/app.js', function: name, lineno: line, colno: 7, in_app: true },
})
const event = (more: object) => ({
  event_id: '0123456789abcdef0123456789abcdef',
  timestamp: 1_795_861_798.166,
  ...more,
})
const values = [
  {
    type: 'Error',
    value: 'no items',
    stacktrace: { frames: [frame('load', 3)] },
    mechanism: { handled: false, type: 'auto.browser.global_handlers.onerror' },
  },
  {
    type: 'RangeError',
    value: 'basket is empty',
    stacktrace: { frames: [frame('?', 9), frame('pay', 12)] },
    mechanism: { handled: true, type: 'generic' },
  },
]

test('an error has its stack as browsers write it, then its cause, and is unhandled if any of them is', () => {
  expect(
    convertSentryError(
      event({ exception: { values }, contexts: { trace: { trace_id: 'd2a8aeabc45f425f94c8ee523dd23236' } } }),
    ),
  ).toEqual({
    ...{ kind: 'error', id: '01234567-89ab-cdef-0123-456789abcdef', at: 1_795_861_798_166, context: 0 },
    ...{ source: 'uncaught', type: 'RangeError', message: 'basket is empty', handled: false, attributes: {} },
    traceId: 'd2a8aeabc45f425f94c8ee523dd23236',
    stack: [
      'RangeError: basket is empty',
      '    at pay (https://shop.example/app.js:12:7)',
      '    at https://shop.example/app.js:9:7',
      'Caused by: Error: no items',
      '    at load (https://shop.example/app.js:3:7)',
    ].join('\n'),
  })
})

test.each([
  [
    { mechanism: { handled: false, type: 'auto.browser.global_handlers.onunhandledrejection' } },
    { source: 'rejection', handled: false },
  ],
  [{ mechanism: { handled: true, type: 'auto.core.capture_console' } }, { source: 'console', handled: true }],
  [
    { mechanism: { handled: true, type: 'auto.function.react.error_boundary' } },
    { source: 'react', handled: true },
  ],
  [{}, { source: 'reported', handled: true }],
])('how it was caught: %j', (exception, wanted) => {
  const given = event({ exception: { values: [{ type: 'Error', value: 'no', ...exception }] } })
  expect(convertSentryError(given)).toMatchObject(wanted)
})

test('a message that reports no failure is a custom event, any other is an error', () => {
  const message = (level: string) => convertSentryError(event({ message: 'stock is low', level }))
  expect(message('info')).toMatchObject({
    kind: 'custom',
    name: 'message',
    attributes: { message: 'stock is low' },
  })
  expect(message('warning')).toMatchObject({ kind: 'error', message: 'stock is low', handled: true })
  expect(convertSentryError(event({}))).toBeUndefined()
  expect(convertSentryError({ ...event({ message: 'x' }), timestamp: 'never' })).toBeUndefined()
})

test('a fingerprint that extends the default does not group, and any JSON is read', () => {
  const grouped = (fingerprint: unknown) =>
    convertSentryError(event({ message: 'm', level: 'error', fingerprint }))
  expect(grouped(['payment', 'declined'])).toMatchObject({ fingerprint: 'payment declined' })
  expect(grouped(['{{ default }}', 'x'])).not.toHaveProperty('fingerprint')
  for (const odd of [
    null,
    7,
    'text',
    [],
    { values: 3 },
    { values: [null, 4, { stacktrace: { frames: 'no' } }] },
  ]) {
    expect(
      convertSentryError(event({ message: 'm', level: 'error', exception: odd, tags: odd, contexts: odd })),
    ).toMatchObject({ kind: 'error' })
  }
})

test('the clicks before it have ids of their own, the same in each error', () => {
  const breadcrumbs = [
    { timestamp: 1_795_861_798.158, category: 'ui.click', message: 'body > button#a' },
    { timestamp: 1_795_861_798.2, category: 'fetch', data: { url: '/data' } },
  ]
  const found = clicksBefore(event({ breadcrumbs }), { session: 's', idOf: (text) => text })
  expect(found).toMatchObject([
    { kind: 'action', id: 's 1795861798158 body > button#a', name: 'body > button#a' },
  ])
})
