import { expect, test } from 'vitest'
import { selectorFault } from './selector-fault.ts'

test.each([
  '.price',
  '#account > .iban, main',
  '[data-name="a;b{c}"]',
  "a[href^='https://']:not(.public) ~ span",
  'li:nth-child(2n + 1)',
  '.md\\:grid',
  'svg|text',
  '.größe',
  'my-element:has(> img)',
])('%s is a selector', (selector) => {
  expect(selectorFault(selector)).toBeUndefined()
})

test.each([
  [' ', 'must not be empty'],
  ['.a\n.b', 'contains an invalid character'],
  ['.a { color: red }', 'must not contain {'],
  ['.a;', 'must not contain ;'],
  ['<div>', 'must not contain <'],
  ['"text"', 'must not contain "'],
  ['[data-a="x]', 'has a bracket or a quotation mark that is not closed'],
  [':not(.a', 'has a bracket or a quotation mark that is not closed'],
  ['.a)', 'has a bracket or a quotation mark that is not closed'],
  ['.a(]', 'has a bracket or a quotation mark that is not closed'],
  ['.a\\', 'has a bracket or a quotation mark that is not closed'],
  ['p::before', 'must match elements, not pseudo-elements'],
  ['.a,', 'is incomplete'],
  [', .a', 'is incomplete'],
  ['.a,, .b', 'is incomplete'],
  ['.a >', 'is incomplete'],
])('%j is none', (selector, fault) => {
  expect(selectorFault(selector)).toBe(fault)
})
