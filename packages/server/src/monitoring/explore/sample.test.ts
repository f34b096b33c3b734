// A sample has all events of some users, and each of them weighs as much as those that are left out.

import { emptyFilter, parseFilter } from '@telltale/core/query/filter'
import { sampleLimits } from '@telltale/core/sample-limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ByHandStage,
  from,
  ofKind,
  openByHandStage,
  timeZone,
  to,
} from '../../../../../test/telemetry/by-hand-stage.ts'
import { explore } from './explore.ts'
import { ask, type Question } from './question.ts'
import { readSampled } from './sample.ts'
import { weigh } from './testing/count-by-hand.ts'

let stage: ByHandStage
let question: Question

beforeAll(async () => {
  stage = await openByHandStage()
  const { telemetry, environmentId } = stage
  question = ask(telemetry, { environmentId, timeZone, from, to, filter: emptyFilter })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const views = { kind: 'view', measure: 'count' } as const
/** The number of views, as a query that would be sampled at the given bounds. */
const countViews = (bounds: { whole: number; least: number }, asked: Partial<Question> = {}) =>
  readSampled(
    { ...question, ...asked },
    {
      kind: 'view',
      isExact: false,
      read: async (sampled) => (await explore(sampled, views)).total,
      countOf: ({ events }) => events,
    },
    bounds,
  )
const isIn = (sample: number) => (one: { userHash: string }) => BigInt(one.userHash) % BigInt(sample) === 0n

test('counts are estimated from one in four users, all of whose events are read', async () => {
  const all = ofKind(stage.seen, 'view')
  const read = all.filter(isIn(4))
  expect(read.length).toBeGreaterThan(20)
  expect(read.length).toBeLessThan(all.length / 2)
  // Counted by hours: also what bots did, and the hours that the period cuts.
  const stored = ofKind(stage.ours, 'view').length
  const found = await countViews({ whole: stored / 3, least: 1 })
  expect(found).toEqual({ sample: 4, value: 4 * weigh(read), events: 4 * weigh(read) })
})

test.each(['users', 'sessions'] as const)('%s of a sample are counted, and multiplied', async (measure) => {
  const read = stage.seen.filter(isIn(4))
  const by = measure === 'users' ? 'userHash' : 'session'
  const { total } = await explore(question.with({ sample: 4 }), { measure })
  expect(total.value).toBe(4 * new Set(read.map((one) => one[by])).size)
})

test('sessions of a sample are those of its users', async () => {
  const sampled = question.with({ sample: 4 })
  const [found] = await sampled.read<{ sessions: number }>(
    `SELECT sum(weight) AS sessions FROM ${sampled.sessions()}`,
  )
  const read = stage.sessions.filter(({ events: [first] }) => first !== undefined && isIn(4)(first))
  expect(found?.sessions).toBe(4 * read.reduce((sum, { weight }) => sum + weight, 0))
})

test('few events that match are all read, and so are few stored events', async () => {
  const all = weigh(ofKind(stage.seen, 'view'))
  expect(await countViews({ whole: 10, least: 1_000_000 })).toMatchObject({ sample: 1, value: all })
  expect(await countViews({ whole: 1_000_000, least: 1 })).toMatchObject({ sample: 1, value: all })
})

test('a sample never has fewer than one in 64 users', async () => {
  expect(await countViews({ whole: 1, least: 0 })).toMatchObject({ sample: sampleLimits.sampleMaximum.value })
})

test('a filter narrows a sample as it narrows all events', async () => {
  const parsed = parseFilter('browser:Chrome')
  const filter = parsed.ok ? parsed.result : emptyFilter
  const read = ofKind(stage.seen, 'view').filter((one) => isIn(2)(one) && one.browser === 'Chrome')
  const { total } = await explore(question.with({ sample: 2, filter }), views)
  expect(total.value).toBe(2 * weigh(read))
  expect(read.length).toBeGreaterThan(0)
})

test('answers of small periods say that they are exact', async () => {
  expect((await stage.ask('explore', { measure: 'count' })).sample).toBe(1)
  expect((await stage.ask('explore/facets', { fields: 'browser' })).sample).toBe(1)
  expect((await stage.ask('sessions/facets', { fields: 'browser', exact: 'true' })).sample).toBe(1)
})
