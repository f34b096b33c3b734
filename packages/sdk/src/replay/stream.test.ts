import { parts, records } from '@telltale/core/telemetry/replay/codes'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import { expect, test } from 'vitest'
import { createStream } from './stream.ts'

test('what is written is read: numbers, texts, nodes', () => {
  const stream = createStream()
  stream.begin(7, 1_795_000_000_123)
  stream.byte(records.page)
  stream.number(1_440)
  stream.number(900)
  stream.byte(parts.quirks)
  stream.byte(parts.scroll)
  stream.signed(-3)
  stream.signed(12_000)
  stream.byte(parts.element)
  stream.text('html')
  stream.number(2)
  for (const text of ['lang', 'en', '__proto__', 'html']) stream.text(text)
  stream.byte(parts.box)
  stream.number(64 * 10.5)
  stream.number(0)
  stream.byte(parts.text)
  stream.text('Grüße, 世界 '.repeat(40))
  stream.byte(parts.end)
  stream.byte(parts.end)
  stream.byte(records.time)
  stream.signed(-250)
  stream.byte(records.insert)
  for (const number of [2, 0]) stream.number(number)
  stream.byte(parts.known)
  stream.number(3)
  stream.byte(parts.svg)
  stream.text('html')
  stream.number(0)
  stream.byte(parts.end)
  stream.byte(parts.end)
  const at = 1_795_000_000_123
  const attributes = { lang: 'en', ['__proto__']: 'html' }
  const text = 'Grüße, 世界 '.repeat(40)
  expect([...decodeSegment(stream.from(0))]).toEqual([
    {
      at,
      do: 'page',
      width: 1_440,
      height: 900,
      document: {
        id: 1,
        isQuirky: true,
        scroll: { x: -3, y: 12_000 },
        children: [
          {
            kind: 'element',
            id: 2,
            tag: 'html',
            attributes,
            state: { box: { width: 10.5, height: 0 } },
            children: [{ kind: 'text', id: 3, text }],
          },
        ],
      },
    },
    {
      at: at - 250,
      do: 'insert',
      parent: 2,
      before: null,
      nodes: [
        { kind: 'known', id: 3 },
        { kind: 'element', id: 4, tag: 'html', space: 'svg', attributes: {}, children: [] },
      ],
    },
  ])
})
