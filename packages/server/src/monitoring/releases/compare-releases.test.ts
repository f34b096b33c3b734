// Two versions on the real engine: the query computes what the statistics compute from the same rows in memory.

import { releaseCaveat } from '@telltale/core/contract/releases'
import { compareShares } from '@telltale/core/statistics/stratified'
import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { stratify, type UnitInStratum } from '@telltale/core/statistics/testing/stratify'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  environments,
  type IntakeStage,
  openIntakeStage,
  untilWritten,
} from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
const headers = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}
const base = `${environments}/development`
const hour = 3_600_000
const users = 160
const random = seededRandom(7)

interface Session {
  user: number
  hours: number
  isNew: boolean
  crashes: boolean
  load: number
}

/** The new version crashes twice as often, and takes half as long again; the last users have both versions. */
const sessions = Array.from({ length: users }, (_, user): Session[] =>
  Array.from({ length: 1 + Math.floor(random.uniform() * 4) }, (_unused, index) => {
    const isNew = user % 2 === 0 || (user > 140 && index > 1)
    return {
      user,
      hours: Math.floor(random.uniform() * 5),
      isNew,
      crashes: random.uniform() < (isNew ? 0.4 : 0.2),
      load: Math.round(1_000 * (isNew ? 1.5 : 1) * Math.exp(0.5 * random.normal())),
    }
  }),
).flat()

beforeAll(async () => {
  stage = await openIntakeStage()
  // The middle of an hour, so that no event is in the next one.
  const start = Math.floor(Date.now() / hour) * hour - hour / 2
  const batches = Array.from({ length: Math.ceil(sessions.length / 40) }, (_, index) =>
    sessions.slice(40 * index, 40 * index + 40),
  )
  for (const batch of batches) {
    const lines = batch.flatMap(({ user, hours, isNew, crashes, load }, index): Line[] => {
      const at = start - hours * hour
      const version = isNew ? '2.0' : '1.0'
      return [
        context({ index, session: newId(), anonymousId: `user ${user}`, version }),
        event('view', { context: index, at }),
        event('vital', { context: index, at, name: 'LCP', value: load }),
        ...(crashes
          ? [
              event('error', {
                context: index,
                at,
                source: 'uncaught',
                handled: false,
                type: 'Error',
                message: 'no',
              }),
            ]
          : []),
      ]
    })
    expect(await stage.post(toLines(lines), { headers })).toMatchObject({
      status: 202,
      body: { dropped: [] },
    })
  }
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const compare = (query: string) =>
  stage.telltale.request('GET', `${base}/releases/comparison?${query}`, { as: stage.owner })

test('crashed sessions are compared as the statistics compare them', async () => {
  await untilWritten(stage.telltale)
  const rows = new Map<string, UnitInStratum>()
  for (const { user, hours, isNew, crashes } of sessions) {
    const arm = isNew ? 'treatment' : 'control'
    const key = `${user} ${hours} ${arm}`
    const row = rows.get(key) ?? { stratum: hours, arm, unit: user, n: 0, y: 0 }
    rows.set(key, { ...row, n: row.n + 1, y: row.y + (crashes ? 1 : 0) })
  }
  const expected = compareShares(stratify([...rows.values()]))
  if (!('comparison' in expected)) throw new Error('the sessions of the test are too few')
  const { change, lower, upper, treatment, control } = expected.comparison

  const { status, body } = await compare('version=2.0&base=1.0')
  expect({ status, body }).toMatchObject({ status: 200, body: { caveat: releaseCaveat } })
  const [crashed] = body.metrics
  expect(crashed).toMatchObject({ metric: 'crashed-sessions', strata: 5, missing: null })
  expect(crashed.values.version).toBeCloseTo(treatment, 9)
  expect(crashed.values.base).toBeCloseTo(control, 9)
  expect(crashed.change.estimate).toBeCloseTo(change, 9)
  expect(crashed.change.lower).toBeCloseTo(lower, 6)
  expect(crashed.change.upper).toBeCloseTo(upper, 6)
  expect(change).toBeGreaterThan(0.1)
})

test('vitals are compared by their p75; a vital without values has no comparison', async () => {
  const { body } = await compare('version=2.0&base=1.0')
  const of = (name: string) => body.metrics.find(({ metric }: { metric: string }) => metric === name)
  const { estimate, lower, upper } = of('LCP').change
  expect(lower).toBeGreaterThan(0)
  expect(lower).toBeLessThan(0.5)
  expect(upper).toBeGreaterThan(0.5)
  expect(estimate).toBeGreaterThan(0.25)
  expect(of('INP')).toMatchObject({ missing: 'no-units', change: null })
  expect(of('failed-requests')).toMatchObject({ missing: 'too-few', change: null })
})

test('a comparison is turned around with its versions; one with itself is refused', async () => {
  const [there, back] = await Promise.all([compare('version=2.0&base=1.0'), compare('version=1.0&base=2.0')])
  const crashed = ({ body }: { body: { metrics: { change: { estimate: number } }[] } }) =>
    body.metrics[0]?.change.estimate ?? 0
  expect(crashed(there)).toBeCloseTo(-crashed(back), 9)
  expect((await compare('version=2.0&base=2.0')).status).toBe(400)
  expect((await compare('version=9.9&base=1.0')).body.metrics[0]).toMatchObject({ change: null })
})
