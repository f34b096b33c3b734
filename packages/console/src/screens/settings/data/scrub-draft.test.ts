import { expect, test } from 'vitest'
import { faultsOf, rulesOf, valuesOf } from './scrub-draft.ts'

test('rules are one per line, without empty and duplicate lines', () => {
  const scrub = { parameters: ['voucher', 'code'], attributes: [], expressions: ['cust-[0-9]+'] }
  const values = valuesOf({ scrub })
  expect(values.parameters).toBe('voucher\ncode')
  expect(rulesOf(values)).toEqual(scrub)
  expect(rulesOf({ ...values, attributes: ' iban \n\niban\n' }).attributes).toEqual(['iban'])
})

test('a fault is at its field and names the line', () => {
  const rules = { parameters: [], attributes: [], expressions: ['ok', 'a('] }
  expect(
    faultsOf(
      [
        { pointer: '/scrub/expressions/1', message: 'missing closing )' },
        { pointer: '/scrub/attributes', message: 'too many' },
        { pointer: '/name', message: 'elsewhere' },
      ],
      rules,
    ),
  ).toEqual({ expressions: 'a(: missing closing )', attributes: 'too many' })
})
