// Recordings and profiles of the real client, replayed out of order and twice: the player gets the page that an
// independent decoder rebuilt, and the flame graph shows the functions that took the time.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Recorded,
  readExpected,
  readRun,
  runs,
  sendRecorded,
} from '../../../../../test/intake/datadog.ts'
import { rebuildPage } from '../../../../../test/intake/rebuild-page.ts'
import { sampleEverything } from '../../../../../test/intake/sample-everything.ts'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'

let stage: IntakeStage
let key: string
const patience = { timeout: 30_000, interval: 100 }

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await sampleEverything(stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const get = async (path: string) => {
  const { body } = await stage.telltale.request('GET', `${environments}/development${path}`, {
    as: stage.owner,
  })
  return body
}
const readLines = async (session: string, tab: string, from = 0) => {
  const path = `${environments}/development/sessions/${session}/replay/segments?tab=${tab}&from=${from}`
  const { body } = await stage.telltale.request('GET', path, { as: stage.owner })
  const text: string = typeof body === 'string' ? body : JSON.stringify(body)
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
const send = async (request: Recorded) => {
  const answer = await sendRecorded(request, { url: stage.telltale.url, key })
  return answer.status
}

describe.each(Object.keys(runs) as (keyof typeof runs)[])('a run: %s', (run) => {
  const { sent } = readExpected(run)
  const session: string = sent.sessions[0]
  const pages: { view: string; segments: number; records: number; outlineAtEnd: string[] }[] = JSON.parse(
    readFileSync(
      join(
        import.meta.dirname,
        '../../../../../test/contracts/datadog-rum',
        runs[run],
        'replay-expected.json',
      ),
      'utf8',
    ),
  )
  const of = (track: string) => readRun(run).filter((request) => request.track === track)

  test('is played as the page was at the end of every view', async () => {
    const segments = of('replay').reverse()
    for (const request of [...segments, ...segments]) expect(await send(request)).toBe(202)
    const replay = async () => get(`/sessions/${session}/replay`)
    const stored = async () => (await replay()).tabs?.flatMap((tab: { segments: [] }) => tab.segments).length
    await expect.poll(stored, patience).toBe(segments.length)
    const { tabs } = await replay()
    expect(tabs).toHaveLength(pages.length)
    for (const { view, records, outlineAtEnd } of pages) {
      // In any order: the age limit for late telemetry is measured from the arrival of old recordings.
      const tab = tabs.find(({ id }: { id: string }) => id === view)
      expect(tab.gaps).toEqual([])
      expect(tab.segments[0]).toMatchObject({ index: 0, full: true, view })
      const lines = await readLines(session, view)
      const heads = lines.flatMap(({ segment }) => segment ?? [])
      expect(heads.filter(({ broken }) => broken)).toEqual([])
      expect(heads.reduce((sum, each) => sum + each.records, 0)).toBe(records)
      const page = rebuildPage()
      for (const line of lines) if (line.do !== undefined) page.take(line)
      expect(page.outline()).toEqual(outlineAtEnd.filter((line) => line !== ''))
      expect(page.unknown).toBe(0)
    }
  })

  test('resumes from the middle of a view, any number of times', async () => {
    const [first] = pages
    if (first === undefined) throw new Error('there is a first view')
    const whole = await readLines(session, first.view)
    for (let from = 1; from < first.segments; from++) {
      const begin = whole.findIndex(({ segment }) => segment?.index === from)
      expect(await readLines(session, first.view, from)).toEqual(whole.slice(begin))
    }
  })

  test('each view has one profile, which shows what took the time', async () => {
    // The flags of its session are those in its events.
    for (const event of of('rum')) expect(await send(event)).toBe(202)
    const [request] = of('profile')
    if (request === undefined) throw new Error('there is a profile')
    expect(await send(request)).toBe(202)
    expect(await send(request)).toBe(202)
    const list = async () => (await get(`/profiles?session=${session}`)).items
    await expect.poll(async () => (await list())?.length, patience).toBeGreaterThan(0)
    const found: { view: string; page: string; version: string; flags: string[] }[] = await list()
    expect(new Set(found.map(({ view }) => view)).size).toBe(found.length)
    for (const { view, version, flags } of found) {
      expect(flags).toContain('new-checkout=true')
      expect(pages.map((page) => page.view)).toContain(view)
      expect(version).toBe('3.1.4')
    }
    const { frames, nodes } = await get(`/profiles/flame-graph?filter=session:${session}`)
    const self = new Map<string, number>()
    for (const { frame, selfMs } of nodes) {
      const name = frames[frame].function
      self.set(name, (self.get(name) ?? 0) + selfMs)
    }
    const [hottest] = [...self].sort(([, one], [, other]) => other - one)
    // The function that both number-crunching buttons call, as named by the bundler.
    expect(hottest?.[0]).toBe('l')
    expect(hottest?.[1]).toBeGreaterThan(700)
  })
})
