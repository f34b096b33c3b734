import { expect, test } from 'vitest'
import { createLineSplitter } from './split-lines.ts'

function split(...chunks: string[]): string[] {
  const lines: string[] = []
  const take = createLineSplitter((line) => lines.push(line))
  for (const chunk of chunks) take(chunk)
  return lines
}

test('lines are joined across chunks and empty ones omitted', () => {
  expect(split('one\ntw', 'o\n\nthr', 'ee', '\nunfinished')).toEqual(['one', 'two', 'three'])
})

test('an endless line is cut once and the next line is complete', () => {
  const lines = split('x'.repeat(5_000), 'x'.repeat(5_000), 'x\nnext\n')

  expect(lines.map((line) => line.length)).toEqual([2_000, 4])
})

test('a long line within one chunk is cut as well', () => {
  expect(split(`${'x'.repeat(5_000)}\nnext\n`).map((line) => line.length)).toEqual([2_000, 4])
})
