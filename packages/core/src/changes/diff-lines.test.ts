import { expect, test } from 'vitest'
import { diffLines, foldSame } from './diff-lines.ts'

const text = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => ({ same: ' ', less: '-', more: '+' })[kind] + text)

test('marks only changed lines', () => {
  expect(text('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c'])
  expect(text('a\nb\nc\nd', 'b\nc\nd\ne')).toEqual(['-a', ' b', ' c', ' d', '+e'])
  expect(text('a', 'a')).toEqual([' a'])
})

test('with one empty side, all lines are added or removed', () => {
  expect(text('', 'a\nb')).toEqual(['+a', '+b'])
  expect(text('a\nb', '')).toEqual(['-a', '-b'])
})

test('a very long text is compared coarsely', () => {
  const long = (mark: string) => Array.from({ length: 2_000 }, (_, line) => `${mark}${line}`).join('\n')
  expect(diffLines(long('a'), long('b'))).toHaveLength(4_000)
})

test('unchanged lines far from changes are folded', () => {
  const before = Array.from({ length: 20 }, (_, line) => `${line}`).join('\n')
  const folded = foldSame(diffLines(before, before.replace('\n10\n', '\nten\n')), 2)
  expect(folded.map((line) => line?.text ?? '…')).toEqual(['…', '8', '9', '10', 'ten', '11', '12', '…'])
})
