import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compress, wrap } from './gzip.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('pieces that were compressed and one that was only wrapped are one text', async () => {
  const pieces = [
    await compress('{"kind":"context"}\n'),
    await compress(bytesOf('é and 🛟\n')),
    wrap(bytesOf('the rest – as it is\n')),
  ]
  expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(
    '{"kind":"context"}\né and 🛟\nthe rest – as it is\n',
  )
})

test('nothing, and more than a block holds, can be wrapped', () => {
  expect(gunzipSync(wrap(bytesOf(''))).toString()).toBe('')
  expect(gunzipSync(wrap(bytesOf('x'.repeat(70_000)))).toString()).toHaveLength(65_535)
})
