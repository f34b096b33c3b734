// Recordings of the demo, made in real browsers in the format `rrweb-2`: what is stored stays playable.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { rebuildPage } from '../../../../../test/intake/rebuild-page.ts'
import { createPlayerForm } from './player-form.ts'

const folder = join(import.meta.dirname, '../../../../../demo/recordings')

interface Segment {
  header: { context: { tab: string }; segment: { index: number; full: boolean; format: string } }
  body: string
}

test.each(readdirSync(folder))('%s is played to its end, and every change finds its node', async (file) => {
  const { segments }: { segments: Segment[] } = JSON.parse(
    gunzipSync(readFileSync(join(folder, file))).toString(),
  )
  const tabs = new Map<string, Segment[]>()
  for (const segment of segments) {
    const { tab } = segment.header.context
    tabs.set(tab, [...(tabs.get(tab) ?? []), segment])
  }
  expect(tabs.size).toBeGreaterThan(0)
  for (const recorded of tabs.values()) {
    const form = createPlayerForm()
    const page = rebuildPage()
    for (const { header, body } of recorded) {
      const { index: seq, full, format } = header.segment
      const text = gunzipSync(Buffer.from(body, 'base64'))
      const played = await form.read({ seq, full, format, text })
      expect(played?.isBroken).toBe(false)
      for (const line of played?.lines.toString().split('\n') ?? [])
        if (line !== '') page.take(JSON.parse(line))
    }
    expect(page.outline().length).toBeGreaterThan(30)
    expect(page.unknown).toBe(0)
  }
})
