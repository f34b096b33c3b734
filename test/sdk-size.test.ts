// What the browser client may cost a page. `npm run bench:sdk-size` shows what it costs, beside others.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundleEntry, bundleScript } from '../scripts/build/sdk.ts'

const gzipBytes = async (entry: Parameters<typeof bundleEntry>[0]) =>
  gzipSync(await bundleEntry(entry), { level: 9 }).length

test('flags alone cost a page at most 2.5 kB, and the part for live updates half of that, later', async () => {
  expect(await gzipBytes('flags')).toBeLessThanOrEqual(2_500)
  expect(await gzipBytes('live')).toBeLessThanOrEqual(1_300)
})

test('flags and monitoring together cost a page at most 12 kB at its first load', async () => {
  const script = await bundleScript('telltale-live-00000000.js')
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(12_000)
})

test('nothing of the schemas reaches the browsers of others', async () => {
  for (const entry of ['flags', 'live', 'openfeature', 'react'] as const) {
    expect(await gzipBytes(entry)).toBeLessThanOrEqual(2_500)
  }
  const script = new TextDecoder().decode(await bundleScript('live.js'))
  expect(script).not.toMatch(/typebox|maxItems/i)
})
