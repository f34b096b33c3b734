import { expect, test } from 'vitest'
import { errorGroup, type GroupedError, mappedErrorGroup, namedErrorGroup } from './error-group.ts'
import { formerErrorGroup } from './former-error-group.ts'
import { messageShape } from './message-shape.ts'

const base = {
  environment: '0198a2c4-0000-7000-8000-000000000001',
  type: 'Error',
  message: 'broken',
  stack: '',
}
const groupOf = (more: Partial<GroupedError>) => errorGroup({ ...base, ...more })
const at = (...frames: string[]) => `Error: broken\n${frames.map((frame) => `    at ${frame}`).join('\n')}`
const assets = 'https://shop.example/assets'
const request = `Shop.request (${assets}/app-BdF3a9Zk.js:12:34)`
const axios = [
  'settle (https://shop.example/node_modules/axios/lib/core/settle.js:19:12)',
  'XMLHttpRequest.onloadend (https://shop.example/node_modules/axios/lib/adapters/xhr.js:59:7)',
]

test('one line is one issue, whatever its caller and the numbers in its message', () => {
  const message = (status: number) => `The shop does not answer (${status}).`
  const groups = [500, 502, 503].map((status) =>
    groupOf({
      message: message(status),
      stack: at(request, `caller${status} (${assets}/app-BdF3a9Zk.js:${status}:1)`),
    }),
  )
  expect(new Set(groups).size).toBe(1)
  expect(groupOf({ message: 'The cart is empty', stack: at(request) })).not.toBe(groups[0])
  expect(groupOf({ message: message(500), stack: at(request.replace('request', 'order')) })).not.toBe(
    groups[0],
  )
})

test('another build of the same code, and another call as async, are in the same group', () => {
  const stack = at(request)
  const rebuilt = stack.replace('BdF3a9Zk', 'Qm-29xLp').replace(':12:34', ':13:1')
  expect(groupOf({ stack: rebuilt })).toBe(groupOf({ stack }))
  expect(groupOf({ stack: stack.replace('at Shop', 'at async Shop') })).toBe(groupOf({ stack }))
})

test('messages differ between browsers: only the location counts', () => {
  const type = 'TypeError'
  const stack = at(request)
  const messages = [
    "Cannot read properties of undefined (reading 'a')",
    'undefined is not an object (near e.a)',
  ]
  expect(new Set(messages.map((message) => groupOf({ type, message, stack }))).size).toBe(1)
})

test('frames of dependencies are skipped', () => {
  expect(groupOf({ stack: at(...axios, request) })).toBe(groupOf({ stack: at(request) }))
  const vendor = `settle (${assets}/vendor-Zx81kQa2.js:1:2)`
  expect(groupOf({ stack: at(vendor, request) })).toBe(groupOf({ stack: at(request) }))
})

test('without an own frame, message shape and endpoint distinguish issues', () => {
  const failed = (status: number, endpoint: string) =>
    groupOf({
      type: 'AxiosError',
      message: `Request failed with status code ${status}`,
      stack: at(...axios),
      request: `GET shop.example ${endpoint}`,
    })
  expect(failed(404, '/orders/:id')).toBe(failed(503, '/orders/:id'))
  expect(failed(404, '/orders/:id')).not.toBe(failed(404, '/cart'))
  expect(groupOf({ message: 'order 17 is gone' })).toBe(groupOf({ message: 'order 4711 is gone' }))
  expect(groupOf({ message: 'order 17 is gone' })).not.toBe(groupOf({ message: 'cart 17 is gone' }))
})

test('a mapped stack is grouped by the innermost frame of the application, or by message and endpoint', () => {
  const frame = (file: string, name: string) => ({
    function: 'r',
    file: `${assets}/app.js`,
    line: 1,
    column: 9,
    original: { function: name, file, line: 7, text: 'throw error' },
  })
  const library = frame('node_modules/axios/lib/core/settle.js', 'settle')
  const own = frame('src/api.ts', 'load')
  const error = { ...base, request: 'GET /cart' }
  expect(mappedErrorGroup(error, [library, own])).toBe(mappedErrorGroup(base, [own]))
  expect(mappedErrorGroup(error, [library])).not.toBe(
    mappedErrorGroup({ ...error, request: 'GET /b' }, [library]),
  )
  expect(mappedErrorGroup(error, [{ ...library, original: null }])).toBeUndefined()
})

test("the application's own fingerprint takes precedence", () => {
  const fingerprint = 'payment'
  expect(groupOf({ fingerprint, message: 'a' })).toBe(
    groupOf({ fingerprint, message: 'b', stack: at(request) }),
  )
})

test.each([
  ['order 17 of 3.50 EUR', 'order * of * EUR'],
  ['No cart 01J9ZKX3V7Q4T8M2N6P5R1S0WB', 'No cart *'],
  ['cuid clh3am8hk0000qwer1234abcd and 0198a2c4-0000-7000-8000-000000000001', 'cuid * and *'],
  ['mara@shop.example is unknown', '* is unknown'],
  ['GET https://shop.example/a?b=c failed', 'GET * failed'],
  ['"Mara" is not in \'list\'', '* is not in *'],
  ['configuration-of-checkout failed', 'configuration-of-checkout failed'],
  ['The shop does not answer (503).', 'The shop does not answer (*).'],
])('the shape of "%s"', (message, shape) => {
  expect(messageShape(message)).toBe(shape)
})

test('ids of an earlier version are still computed identically', () => {
  const stack = at(request, `pay (${assets}/app-BdF3a9Zk.js:1:1)`)
  expect(formerErrorGroup({ ...base, stack })).toBe('5209811543577045901')
  expect(namedErrorGroup({ ...base, stack }).isMinified).toBe(false)
})
