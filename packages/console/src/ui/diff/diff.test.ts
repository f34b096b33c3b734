import { expect, test } from 'vitest'
import { diffLines, foldSame } from './diff.ts'

const text = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => ({ same: ' ', less: '-', more: '+' })[kind] + text)

test('only the lines that changed are marked', () => {
  expect(text('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c'])
  expect(text('a\nb\nc\nd', 'b\nc\nd\ne')).toEqual(['-a', ' b', ' c', ' d', '+e'])
  expect(text('a', 'a')).toEqual([' a'])
})

test('nothing on one side makes everything less or more', () => {
  expect(text('', 'a\nb')).toEqual(['+a', '+b'])
  expect(text('a\nb', '')).toEqual(['-a', '-b'])
})

test('a very long text is still compared, if coarsely', () => {
  const long = (mark: string) => Array.from({ length: 2_000 }, (_, line) => `${mark}${line}`).join('\n')
  expect(diffLines(long('a'), long('b'))).toHaveLength(4_000)
})

test('what stayed the same is folded away from the changes', () => {
  const before = Array.from({ length: 20 }, (_, line) => `${line}`).join('\n')
  const folded = foldSame(diffLines(before, before.replace('\n10\n', '\nten\n')), 2)
  expect(folded.map((line) => line?.text ?? '…')).toEqual(['…', '8', '9', '10', 'ten', '11', '12', '…'])
})
