import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { matches } from './text.ts'

// Each makes a backtracking engine take exponential or cubic time on the text next to it.
const blowUps: [expression: string, text: (size: number) => string][] = [
  ['^(a+)+$', (size) => `${'a'.repeat(size)}!`],
  ['^(a|a)*$', (size) => `${'a'.repeat(size)}!`],
  ['^(.*)*,(.*)*;$', (size) => `${','.repeat(size)}x`],
  ['^([a-z]+)*@([a-z]+)*\\.com$', (size) => `${'ab'.repeat(size / 2)}@`],
]

/** The fastest of several runs, each on a different text to defeat caches. */
function timeOf(expression: string, text: string): number {
  const test = matches(expression)
  const times = Array.from({ length: 9 }, (_, run) => {
    const start = performance.now()
    for (let repeat = 0; repeat < 20; repeat++) test(`${text.slice(0, -1)}${run}`)
    return performance.now() - start
  })
  return Math.min(...times)
}

// Retried because other processes may take the CPU: quadratic time would fail every retry.
test.each(blowUps)('%s takes time proportional to the text', { retry: 4 }, (expression, text) => {
  const [small, large] = [limits.contextTextLength / 8, limits.contextTextLength]
  timeOf(expression, text(small))
  // The text is eight times as long: quadratic growth would take 64 times as long.
  expect(timeOf(expression, text(large)) / timeOf(expression, text(small))).toBeLessThan(24)
})

test('an expression with a too large program is rejected', () => {
  expect(() => matches('(a{30}b{30}c{30}){30}')).toThrow('too complex')
  expect(() => matches('.*a.{250}b')).toThrow('too complex')
  expect(() =>
    matches(`^(?:${Array.from({ length: 20 }, (_, each) => `shop-${each}`).join('|')})$`),
  ).not.toThrow()
  expect(() => matches('a'.repeat(limits.expressionLength + 1))).toThrow('longer than')
  expect(() => matches('(?=look)')).toThrow('Invalid expression')
  expect(() => matches('(a)\\1')).toThrow('Invalid expression')
})
