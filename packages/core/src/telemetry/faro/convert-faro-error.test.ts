import { expect, test } from 'vitest'
import { convertFaroError } from './convert-faro-error.ts'

test('an error has its stack as browsers write it, and its context', () => {
  const frames = [
    { filename: 'https://shop.example/app.js', function: 'pay', lineno: 12, colno: 7 },
    { filename: 'https://shop.example/app.js', function: '?', lineno: 9, colno: 3 },
  ]
  expect(
    convertFaroError({
      ...{ type: 'RangeError', value: 'basket is empty', stacktrace: { frames } },
      ...{ context: { cause: 'Error: no items', step: 'pay' }, fingerprint: 'basket' },
    }),
  ).toEqual({
    ...{ kind: 'error', source: 'reported', type: 'RangeError', message: 'basket is empty', handled: true },
    stack: [
      'RangeError: basket is empty',
      '    at pay (https://shop.example/app.js:12:7)',
      '    at https://shop.example/app.js:9:3',
    ].join('\n'),
    ...{ attributes: { cause: 'Error: no items', step: 'pay' }, fingerprint: 'basket' },
  })
})

test.each([
  [
    { value: 'console.error: no', type: 'Error' },
    { source: 'console', message: 'no', handled: true },
  ],
  [
    { value: 'no', type: 'React ErrorBoundary TypeError' },
    { source: 'react', type: 'TypeError' },
  ],
  [
    { value: 'captured: 7', type: 'UnhandledRejection' },
    { source: 'rejection', handled: false },
  ],
  [
    { value: 'no', type: 'Error', fatal: true },
    { source: 'reported', handled: false },
  ],
  [{ type: 'Error' }, { message: '', type: 'Error' }],
])('how it was caught: %j', (given, wanted) => {
  expect(convertFaroError(given)).toMatchObject(wanted)
})
