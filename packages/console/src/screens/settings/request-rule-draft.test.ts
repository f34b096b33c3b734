import { expect, test } from 'vitest'
import {
  isSameRequests,
  newRequestRow,
  requestFaults,
  requestFaultsOf,
  requestRowsOf,
  requestRulesOf,
} from './request-rule-draft.ts'

const rule = { host: 'api.shop.example', path: '/v1/*', headers: ['etag', 'x-id'], fields: ['total'] }

test('rules are edited as text and read back as they were', () => {
  const rows = requestRowsOf([rule])
  expect(rows).toEqual([
    { id: 0, host: 'api.shop.example', path: '/v1/*', headers: 'etag, x-id', fields: 'total' },
  ])
  expect(requestRulesOf(rows)).toEqual([rule])
  expect(newRequestRow(rows)).toEqual({ id: 1, host: '', path: '/*', headers: '', fields: '' })
  expect(
    requestRulesOf([{ id: 0, host: ' API.x ', path: ' /a ', headers: 'ETag,etag  X', fields: ' a.b\nc ' }]),
  ).toEqual([{ host: 'api.x', path: '/a', headers: ['etag', 'x'], fields: ['a.b', 'c'] }])
})

test('each fault is at its field', () => {
  const [row] = requestRowsOf([rule])
  if (row === undefined) throw new Error('no row')
  expect(requestFaults([row])).toEqual({})
  expect(
    requestFaults([
      row,
      { ...row, host: 'https://x', path: 'x', headers: 'etag, Cookie', fields: 'pin' },
      row,
    ]),
  ).toEqual({
    1: {
      host: 'The host must be a host, such as api.shop.example or *.shop.example.',
      path: 'The path must start with /.',
      headers: 'cookie is never recorded.',
      fields: 'pin is never recorded.',
    },
    2: { path: 'There is a rule for this host and path already.' },
  })
})

test("the server's faults name the header or field", () => {
  const errors = [
    { pointer: '/requestRules/0/headers/1', message: 'is never recorded' },
    { pointer: '/requestRules/0/host', message: 'must be a host' },
    { pointer: '/name', message: 'elsewhere' },
  ]
  expect(requestFaultsOf(errors, [rule])).toEqual({
    0: { headers: 'x-id is never recorded.', host: 'The host must be a host.' },
  })
})

test('rules are the same in another order of members only', () => {
  const { host, path, headers, fields } = rule
  expect(isSameRequests([rule], [{ fields, headers, path, host }])).toBe(true)
  expect(isSameRequests([rule], [{ ...rule, fields: [] }])).toBe(false)
})
