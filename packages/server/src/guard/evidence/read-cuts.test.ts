// Each cut must equal the result of an environment that received only the events of the cut.
import { eventMeasure } from '@telltale/core/guard/event-measure'
import type { JudgedMetric, Method } from '@telltale/core/guard/metric-method'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import {
  type GuardEvent,
  inventEvents,
  latestOf,
  sendEvents,
} from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { cutBySlice, findSlices } from './cut-by-slice.ts'
import { cutByTime } from './cut-by-time.ts'
import { findLeftOut } from './leave-out.ts'
import { readCuts } from './read-cuts.ts'
import { readEvidence } from './read-evidence.ts'
import { type ComparedArms, questionOfSplit } from './split-question.ts'

const environment = '0190b3a4-0000-7000-8000-000000000001'
const split = '18446744073709551615'
const events = inventEvents(3_000).filter((event) => event.environment === environment)
const inCut = (cut: string) => `0190b3a4-0000-7000-8000-0000000000${cut}`
const armsIn = (environmentId: string): ComparedArms => ({
  environmentId,
  split,
  epochs: [
    { epoch: 1, share: 0.1 },
    { epoch: 2, share: 0.5 },
  ],
  treatment: 'treatment',
  control: 'control',
})

const metric = (name: string, method: Method): JudgedMetric => ({
  metric: name,
  method,
  better: 'lower',
  limit: 0.05,
  alphaWeight: 1,
})
const somePaid = eventMeasure({ event: 'paid', filter: '-browser:Safari value:>0.25' })
const metrics = [
  metric('lcp', { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1, unitWeight: 2 }),
  metric('some-paid-p75', { kind: 'quantile', measure: somePaid, p: 0.75, smallest: 0.001 }),
  metric('paid', { kind: 'mean', measure: 'custom:paid', unitWeight: 2 }),
  metric('some-paid', { kind: 'mean', measure: somePaid }),
  metric('errors', { kind: 'count', measure: 'error', per: 'session', cap: 2 }),
  metric('rage', { kind: 'share', measure: 'rage_click', of: 'session' }),
  metric('first-paid', { kind: 'rare-share', measure: somePaid, of: 'session' }),
  metric('crashes', { kind: 'rare-share', measure: 'unhandled_error', of: 'session' }),
]

const atTime = (event: GuardEvent) => Date.parse(`${event.at.replace(' ', 'T')}Z`)
const middle = events.map(atTime).toSorted((a, b) => a - b)[Math.floor(events.length / 2)] ?? 0
const end = Math.max(...events.map(atTime)) + 1
const browsers = ['Chrome', 'Firefox', 'Safari']

let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  await send(events, 'whole')
  for (const [index, browser] of browsers.entries())
    await send(
      copy(inCut(`c${index}`), (event) => event.browser === browser),
      browser,
    )
  await send(
    copy(inCut('c9'), (event) => atTime(event) <= middle),
    'middle',
  )
})
afterAll(() => telltale[Symbol.asyncDispose]())

const telemetry = () => telltale.running.services.telemetry
const send = (some: readonly GuardEvent[], token: string) => sendEvents(telemetry(), some, `cuts-${token}`)

function copy(id: string, isKept: (event: GuardEvent) => boolean): GuardEvent[] {
  return events.filter(isKept).map((event) => ({ ...event, environment: id }))
}

/** The most active users of each browser are not the most active users overall. */
const withoutCap = (one: JudgedMetric): JudgedMetric => ({
  ...one,
  method: { ...one.method, ...('unitWeight' in one.method && { unitWeight: 1_000 }) },
})

test.each(metrics.map(withoutCap))('$metric of each browser equals that of its events alone', async (one) => {
  const requested = { by: 'browser' as const, from: 0, to: end }
  const question = questionOfSplit(telemetry(), armsIn(environment))
  const cuts = await readCuts(question, cutBySlice(question, requested, browsers), one)
  for (const [index, cut] of cuts.entries()) {
    const alone = await readEvidence(telemetry(), armsIn(inCut(`c${index}`)), [one])
    expect(rounded(cut)).toEqual(rounded(alone.metrics[0]))
  }
})

test('the largest slices come first, up to the limit', async () => {
  const unitsOf = (browser: string) =>
    new Set(
      events
        .filter((event) => event.kind === 'exposure' && !event.isBot && event.browser === browser)
        .flatMap(({ arms }) => arms.flatMap((arm) => (arm.split === split ? [arm.unit] : []))),
    ).size
  const requested = { by: 'browser' as const, from: 0, to: end }
  const question = questionOfSplit(telemetry(), armsIn(environment))
  const found = await findSlices(question, requested, { measures: ['session'], limit: 2 })
  expect(found).toEqual(browsers.toSorted((a, b) => unitsOf(b) - unitsOf(a) || (a < b ? -1 : 1)).slice(0, 2))
})

test.each(metrics)('$metric at the last instant equals that of the whole', async (one) => {
  const leftOut = await findLeftOut(questionOfSplit(telemetry(), armsIn(environment)), [one.method])
  const question = { ...questionOfSplit(telemetry(), armsIn(environment)), leftOut }
  const [, last] = await readCuts(question, cutByTime(question, [middle, end]), one)
  const whole = await readEvidence(telemetry(), armsIn(environment), [one])
  expect(withoutUse(last)).toEqual(withoutUse(whole.metrics[0]))
})

test.each(metrics.slice(5))('$metric at an earlier instant is what was known then', async (one) => {
  const question = questionOfSplit(telemetry(), armsIn(environment))
  const [then] = await readCuts(question, cutByTime(question, [middle, end]), one)
  const known = await readEvidence(telemetry(), armsIn(inCut('c9')), [one])
  expect(rounded(then)).toEqual(rounded(known.metrics[0]))
})

test('an earlier value covers everyone who had it by then, with all their data since', async () => {
  const [lcp] = metrics.map(withoutCap)
  if (lcp === undefined) throw new Error('there is no metric')
  const question = questionOfSplit(telemetry(), armsIn(environment))
  const [then] = await readCuts(question, cutByTime(question, [middle, end]), lcp)
  const has = (event: GuardEvent) => event.kind === 'vital' && event.name === 'LCP' && !event.isBot
  const byHand = { units: 0, n: 0 }
  for (const epoch of [1, 2]) {
    const of = new Map<string, GuardEvent[]>()
    for (const event of latestOf(events.filter(has)))
      for (const arm of event.arms)
        if (arm.split === split && arm.epoch === epoch && arm.arm === 'treatment')
          of.set(arm.unit, [...(of.get(arm.unit) ?? []), event])
    for (const all of of.values()) {
      if (Math.min(...all.map(atTime)) > middle) continue
      byHand.units += 1
      byHand.n += all.length
    }
  }
  const found = then?.kind === 'quantile' ? then.beyond.stages : []
  const sum = (of: 'units' | 'n') => found.reduce((all, { treatment }) => all + treatment[of], 0)
  expect({ units: sum('units'), n: sum('n') }).toEqual(byHand)
  expect(byHand.units).toBeGreaterThan(0)
  expect(byHand.n).toBeLessThan(events.filter(has).length)
})

/** Weights before capping are only known for the whole. */
const withoutUse = (value: unknown) =>
  JSON.parse(JSON.stringify(rounded(value)), (key, one) => (key === 'use' ? undefined : one))

/**
 * Equal except for the order in which numbers were added, and for units seen in two stages with nothing
 * counted.
 */
const rounded = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (key, one) => {
    if (typeof one === 'number') return Number(one.toPrecision(10))
    const isShared = (key === 'treatment' || key === 'control') && Array.isArray(one)
    return isShared ? one.filter(({ nn }) => nn !== 0) : one
  })
