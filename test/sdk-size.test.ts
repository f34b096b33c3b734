// What the browser client may cost a page. `npm run bench:sdk-size` shows what it costs, beside others.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  bundleEntry,
  bundlePart,
  bundleScript,
  ownNames,
  type Part,
  recorderNames,
} from '../scripts/build/sdk.ts'

const gzipBytes = async (entry: Parameters<typeof bundleEntry>[0]) =>
  gzipSync(await bundleEntry(entry), { level: 9 }).length
const partBytes = async (part: Part) => gzipSync(await bundlePart(part), { level: 9 }).length
const names = {
  live: 'telltale-live-1f2e3d4c.js',
  sampled: 'telltale-sampled-5b6a7988.js',
  toolbar: 'telltale-toolbar-9c8d7e6f.js',
}

test('flags alone cost a page at most 2.5 kB, and the part for live updates half of that, later', async () => {
  expect(await gzipBytes('flags')).toBeLessThanOrEqual(2_500)
  expect(await partBytes('live')).toBeLessThanOrEqual(1_300)
})

test('flags and monitoring together cost a page at most 12.4 kB at its first load', async () => {
  const script = await bundleScript(names)
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(12_400)
})

test('what only sampled sessions load: the recorder at most 20.4 kB, fonts 1.5 kB, the profiler 2.5 kB, console and requests 7 kB, pictures of canvases 1.5 kB, traces 1.5 kB, what decides 1.6 kB, and orders 1 kB', async () => {
  expect(await partBytes('recorder')).toBeLessThanOrEqual(20_400)
  expect(await partBytes('fonts')).toBeLessThanOrEqual(1_500)
  expect(await partBytes('profiler')).toBeLessThanOrEqual(2_500)
  expect(await partBytes('details')).toBeLessThanOrEqual(7_000)
  expect(await partBytes('canvas')).toBeLessThanOrEqual(1_500)
  expect(await partBytes('tracing')).toBeLessThanOrEqual(1_500)
  expect(await partBytes('sampled')).toBeLessThanOrEqual(1_600)
  expect(await partBytes('orders')).toBeLessThanOrEqual(1_000)
})

test('frames of other origins cost a page that shows some at most 1.5 kB, and a frame no more than a recorder', async () => {
  expect(await partBytes('frames')).toBeLessThanOrEqual(1_500)
  expect(await partBytes('framed')).toBeLessThanOrEqual(await partBytes('recorder'))
})

test('the toolbar costs a tab that opens it at most 25 kB, and no other tab anything', async () => {
  expect(await partBytes('toolbar')).toBeLessThanOrEqual(25_000)
})

test('no schemas reach browsers', async () => {
  for (const entry of ['flags', 'openfeature', 'react'] as const) {
    expect(await gzipBytes(entry)).toBeLessThanOrEqual(2_500)
  }
  const script = new TextDecoder().decode(await bundleScript(names))
  expect(script).not.toMatch(/typebox|maxItems/i)
})

test('no member of an event is minified: the server would not know it', () => {
  const contract = readFileSync(join(import.meta.dirname, '../packages/core/src/contract/events.ts'), 'utf8')
  const members = new Set([...contract.matchAll(/^\s+(\w+): (?:Type\.|[A-Z]\w+)/gm)].map(([, name]) => name))
  expect(members.has('componentStack') && members.has('request')).toBe(true)
  expect([...ownNames, ...recorderNames].filter((name) => members.has(name))).toEqual([])
})
