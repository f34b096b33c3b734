import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

test('an error has its type, message and stack, and those of its causes', () => {
  class PaymentError extends Error {
    override name = 'PaymentError'
  }
  const cause = new RangeError('too much', { cause: 'a text' })
  const { type, message, stack } = describeError(new PaymentError('declined', { cause }))
  expect({ type, message }).toEqual({ type: 'PaymentError', message: 'declined' })
  expect(stack).toMatch(/declined\n +at /)
  expect(stack).toContain('Caused by: RangeError: too much\n    at ')
  expect(stack).toMatch(/Caused by: Error: a text$/)
})

test('causes may be circular, many, or deep', () => {
  const circular = new Error('one')
  circular.cause = circular
  expect(describeError(circular).stack).not.toContain('Caused by')

  const several = new AggregateError(Array.from({ length: 50 }, (_, index) => new Error(`no ${index}`)))
  expect(describeError(several).stack.match(/Caused by/g)).toHaveLength(3)

  let deep = new Error('0')
  for (let index = 0; index < 1_000; index += 1) deep = new Error(String(index), { cause: deep })
  const { stack } = describeError(deep)
  expect(stack.match(/Caused by/g)).toHaveLength(5)
  expect(stack.length).toBeLessThanOrEqual(32_000)
})

const foreign: unknown = runInNewContext('new TypeError("elsewhere")')
const bare = Object.assign(Object.create(null), {
  name: 'Bare',
  message: 'no prototype',
  stack: 'Bare\n  at x',
})
const trap = () => {
  throw new Error('trap')
}
const hostile = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })

test.each([
  ['of another realm', foreign, { type: 'TypeError', message: 'elsewhere' }],
  ['without a prototype', bare, { type: 'Bare', message: 'no prototype', stack: 'Bare\n  at x' }],
  ['a text', 'broken', { type: 'Error', message: 'broken', stack: '' }],
  ['nothing', undefined, { type: 'Error', message: 'undefined', stack: '' }],
  ['null', null, { type: 'Error', message: 'null' }],
  ['a symbol', Symbol('s'), { type: 'Error', message: 'Symbol(s)' }],
  ['an object', { code: 7 }, { type: 'Error', message: '{ code: 7 }' }],
  ['an object without a prototype', Object.create(null), { message: '[Object: null prototype] {}' }],
])('thrown: %s', (_, thrown, described) => {
  expect(describeError(thrown)).toMatchObject(described)
})

test('what throws when it is read is described nevertheless', () => {
  const described = describeError(hostile)
  expect(described.type).toBe('Error')
  expect(described.message.length).toBeGreaterThan(0)
  const half = Object.defineProperty(new Error('half'), 'stack', { get: trap })
  expect(describeError(half)).toEqual({ type: 'Error', message: 'half', stack: '' })
})

test('long names and messages are cut', () => {
  const error = Object.assign(new Error('m'.repeat(1_000_000)), { name: 'n'.repeat(5_000) })
  const { type, message, stack } = describeError(error)
  expect([type.length, message.length, stack.length]).toEqual([200, 4_000, 32_000])
})
