// Recorded sessions of the real client, replayed: what it sent is stored.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readExpected, readRun, runs, sendRecorded } from '../../../../../test/intake/datadog.ts'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'

let stage: IntakeStage
let key: string

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await stage.clientKey('development')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const forms = { plain: 'text', deflated: 'function' } as const

describe.each(Object.keys(runs) as (keyof typeof runs)[])('a run: %s', (run) => {
  const { sent } = readExpected(run)
  const session: string = sent.sessions[0]
  const countOf = (items: { type: string }[], type: string) =>
    items.filter((item) => item.type === type).length

  test('is stored as reported, once', async () => {
    const { url } = stage.telltale
    const requests = readRun(run).filter(({ track }) => track === 'rum')
    for (const request of requests) {
      const answer = await sendRecorded(request, { url, key, form: forms[run] })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        202,
        request.headers.origin,
      ])
    }
    const clicks = countOf(sent.actions, 'click')
    const customs = countOf(sent.actions, 'custom') + sent.vitals.length
    const views = Object.values<Record<string, number | boolean>>(sent.views)
    const vitals = views
      .flatMap((view) => [view.lcp_ns, view.inp_ns, view.cls])
      .filter((value) => value !== undefined)
    // The expected events of a loaded page: FCP and TTFB, one timing, and one request of the client itself.
    const counts = {
      view: views.length,
      action: clicks,
      custom: customs + 1,
      error: sent.errors.length,
      resource: sent.resources - 1,
      long_frame: sent.longTasks,
      vital: vitals.length + 2,
      exposure: Object.keys(sent.flags).length,
    }
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    await stage.untilStored(session, all)
    const rows = await stage.read<{ kind: string; n: string }>(
      'SELECT kind, count() AS n FROM events WHERE session_id = {session:UUID} GROUP BY kind',
      { session },
    )
    expect(Object.fromEntries(rows.map(({ kind, n }) => [kind, Number(n)]))).toEqual(counts)

    // The client reported its flags in the first two views, and none in the last.
    const [last] = await stage.read<{ flags: string[] }>(
      "SELECT flags FROM events WHERE session_id = {session:UUID} AND kind = 'view' ORDER BY client_ts DESC LIMIT 1",
      { session },
    )
    const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    const pairs = Object.entries(sent.flags).map(([flag, value]) => `${flag}=${shown(value)}`)
    expect(last?.flags.toSorted()).toEqual(pairs.toSorted())
  })
})
