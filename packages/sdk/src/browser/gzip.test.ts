import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compress, wrap } from './gzip.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('compressed parts and stored ones are one text', async () => {
  const pieces = [
    await compress('{"kind":"context"}\n'),
    await compress(bytesOf('é and 🛟\n')),
    wrap(bytesOf('the rest – as it is\n')),
  ]
  expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(
    '{"kind":"context"}\né and 🛟\nthe rest – as it is\n',
  )
})

test('empty and large inputs can be stored', () => {
  expect(gunzipSync(wrap(bytesOf(''))).toString()).toBe('')
  expect(gunzipSync(wrap(bytesOf('x'.repeat(70_000)))).toString()).toHaveLength(65_535)
})
