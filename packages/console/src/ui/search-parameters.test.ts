import { expect, test } from 'vitest'
import { oneOf, ordinalOf, searchParser, shortTextOf, trueOf } from './search-parameters.ts'
import { textOf } from './text/text-of.ts'

const parse = searchParser({
  q: textOf,
  flag: shortTextOf,
  sort: oneOf('users', 'events'),
  version: ordinalOf,
  new: trueOf,
})
const none = { q: undefined, flag: undefined, sort: undefined, version: undefined, new: undefined }

test('valid parameters are kept', () => {
  const search = { q: 'pay', flag: 'checkout', sort: 'events', version: 3, new: true }
  expect(parse(search)).toEqual(search)
})

test('the router reads numbers and booleans where the screen expects text', () => {
  expect(parse({ q: 412, flag: true })).toEqual({ ...none, q: '412', flag: 'true' })
})

test('missing and invalid parameters are present and undefined, so that they do not pass through', () => {
  const parsed = parse({ flag: 'x'.repeat(129), sort: 'name', version: 1.5, new: 'yes', other: 'x' })
  expect(Object.entries(parsed)).toEqual(Object.entries(none))
})
