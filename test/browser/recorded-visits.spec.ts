// Recordings of the demo, made in a real browser, are shown by the player of today.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import type { Recording } from '../../demo/history/recording.ts'
import type { Site } from './flag-server.ts'
import { type Sent, startRecorderSite } from './recorder.ts'
import { openReplay, playerFiles, showMoment } from './replayed-page.ts'

let site: Site
test.beforeAll(async () => {
  site = await startRecorderSite(await playerFiles())
})
test.afterAll(() => site?.[Symbol.asyncDispose]())

const folder = join(import.meta.dirname, '../../demo/recordings')
const unpack = (body: string) => {
  const bytes = Buffer.from(body, 'base64')
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
}
const nothing = { path: '', hash: '', mime: '', text: '', keepalive: false }

test('every recording is shown at its beginning and at its end', async ({ page }) => {
  test.slow()
  for (const file of readdirSync(folder)) {
    await test.step(file, async () => {
      await openReplay(page, `${site.url}/host`, sentBy(file))
      const moments = sentBy(file).flatMap(({ header }) => (header ? [header.startedAt, header.endedAt] : []))
      for (const at of [Math.min(...moments) + 1, Math.max(...moments)]) {
        const { parts } = await showMoment(page, at)
        expect(parts.filter(({ what }) => what === 'text').length).toBeGreaterThan(10)
      }
    })
  }
})

/** By its first tab. */
function sentBy(file: string): Sent[] {
  const { segments, assets }: Recording = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString())
  const tab = segments[0]?.header.context.tab
  return [
    ...assets.map(({ hash, type, body }) => ({
      ...nothing,
      header: undefined,
      hash,
      mime: type,
      bytes: [...unpack(body)],
    })),
    ...segments
      .filter(({ header }) => header.context.tab === tab)
      .map(({ header, body }) => ({ ...nothing, header: header.segment, bytes: [...unpack(body)] })),
  ]
}
