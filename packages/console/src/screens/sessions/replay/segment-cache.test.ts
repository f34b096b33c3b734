import { expect, test } from 'vitest'
import { createSegmentCache } from './segment-cache.ts'
import { splitSegments } from './split-segments.ts'

test('evicts the least recently used segment, and does not keep oversized ones', () => {
  const cache = createSegmentCache(10)
  cache.keep('tab', 0, 'aaaa')
  cache.keep('tab', 1, 'bbbb')
  expect(cache.get('tab', 0)).toBe('aaaa')
  cache.keep('tab', 2, 'cccc')
  expect([0, 1, 2].map((index) => cache.get('tab', index))).toEqual(['aaaa', undefined, 'cccc'])
  cache.keep('tab', 3, 'too large for it')
  expect(cache.get('tab', 3)).toBeUndefined()
  cache.keep('tab', 2, 'c')
  expect(cache.length).toBe(5)
})

test('parses segments whatever the chunks of the response', () => {
  const answer =
    '{"segment":{"index":3,"broken":false}}\n{"a":1}\n{"b":2}\n{"segment":{"index":4,"broken":true}}\n{"next":null}\n'
  for (let at = 0; at <= answer.length; at += 7) {
    const splitter = splitSegments([3, 4])
    const found = [
      ...splitter.push(answer.slice(0, at)),
      ...splitter.push(answer.slice(at)),
      ...splitter.end(),
    ]
    expect(found.map(({ index, broken }) => [index, broken])).toEqual([
      [3, false],
      [4, true],
    ])
    expect(found[0]?.lines).toBe('{"a":1}\n{"b":2}')
  }
})

test("lines of a page that look like a segment's header are kept as content", () => {
  const splitter = splitSegments([3, 4])
  const lines = [
    '{"segment":{"index":3}}',
    '{"segment":{"index":9}}',
    '{"segment":',
    '{"segment":{"index":3}}',
  ]
  const [found] = [...splitter.push(`${lines.join('\n')}\n`), ...splitter.end()]
  expect(found?.lines.split('\n')).toHaveLength(3)
})
