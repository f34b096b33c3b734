// Views of the Datadog client that change after they seemed to have ended: the last vitals count, and a clock jump
// loses nothing.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rumEvent, rumLines, rumView, sendRum } from '../../../../../test/intake/datadog.ts'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'

let stage: IntakeStage
let key: string

beforeAll(async () => {
  stage = await openIntakeStage()
  key = await stage.clientKey('development')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const send = (events: readonly unknown[], parameters: Record<string, string> = {}) =>
  sendRum(rumLines(events), { url: stage.telltale.url, key, parameters })
const inSession = (id: string) => ({ session: { id, type: 'user' }, tab: { id: randomUUID() } })
const vitals = { cumulative_layout_shift: 0.02, interaction_to_next_paint: 0 }

test('a tab hidden and shown three times ends with its last vitals', async () => {
  const session = randomUUID()
  const about = inSession(session)
  for (const [index, ms] of [24, 24, 180, 328].entries()) {
    const reported = { interaction_to_next_paint: ms * 1e6, cumulative_layout_shift: index * 0.09 }
    const view = { is_active: true, time_spent: (index + 1) * 1e9, ...reported }
    // Hidden: the rest is sent by a beacon. Shown again, the view continues.
    await send([rumView(2 * index + 1, view, about)], { '_dd.api': 'beacon' })
    await send([rumView(2 * index + 2, view, about)])
  }
  // The view, INP with three values, CLS with four.
  const rows = await stage.untilStored(session, 8)
  expect(rows).toHaveLength(8)
  const latest = await stage.read<{ name: string; last: number; revisions: string }>(
    `SELECT name, argMax(value, rev) AS last, toString(uniqExact(rev)) AS revisions FROM events
    WHERE session_id = {session:UUID} AND kind = 'vital' GROUP BY name ORDER BY name`,
    { session },
  )
  expect(latest).toEqual([
    { name: 'CLS', last: expect.closeTo(0.27), revisions: '4' },
    { name: 'INP', last: 328, revisions: '3' },
  ])
})

test('a tab whose clock jumps by three days is kept, with its events', async () => {
  const [session, view] = [randomUUID(), { id: randomUUID() }]
  const about = { ...inSession(session) }
  const days = 3 * 86_400_000
  const start = Date.now() - 20_000
  const batch_time = String(Date.now() + days)
  const at = (version: number, drift: number) => ({
    ...rumView(version, { ...view, is_active: false, time_spent: 19e9, ...vitals }, about),
    date: start,
    _dd: { document_version: version, drift },
  })
  const event = (date: number, drift: number) => ({
    ...rumEvent('action', { type: 'click', target: { name: 'Pay' } }, about),
    date,
    _dd: { drift },
  })
  await send([event(start + 5_000, 0), event(start + days + 15_000, days), at(3, days)], { batch_time })
  const rows = await stage.untilStored(session, 5)
  expect(rows.map(({ kind }) => kind).sort()).toEqual(['action', 'action', 'view', 'vital', 'vital'])
})
