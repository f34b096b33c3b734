import { expect, test } from 'vitest'
import { isKey } from '../keys.ts'
import { builtInMetrics, freezeMetric, ownMetric } from './built-in-metrics.ts'
import { eventMeasure, readEventMeasure } from './event-measure.ts'
import { judgeAll, nextShareOf } from './judge-all.ts'
import { plan } from './testing/some-rollout.ts'

test('every built-in metric has a unique key and a limit, and is better when lower', () => {
  expect(new Set(builtInMetrics.map(({ key }) => key)).size).toBe(builtInMetrics.length)
  for (const { key, limit, better } of builtInMetrics) {
    expect(isKey(key), key).toBe(true)
    expect(limit).toBeGreaterThan(0)
    expect(better).toBe('lower')
  }
})

test('a share is judged exactly if the event is rare or unknown, and as a frequent share otherwise', () => {
  const errors = builtInMetrics.find(({ key }) => key === 'users-with-an-error')
  const kindAt = (rate: number | undefined) =>
    errors && freezeMetric(errors, { limit: 0.1, base: { rate } }).method.kind
  expect([undefined, 0, 0.02, 0.0999].map(kindAt)).toEqual(Array(4).fill('rare-share'))
  expect([0.1, 0.6].map(kindAt)).toEqual(['share', 'share'])
  const lcp = builtInMetrics.find(({ key }) => key === 'lcp')
  expect(lcp && freezeMetric(lcp, { limit: 0.02, base: { rate: 0.01 } })).toMatchObject({
    method: { kind: 'quantile' },
    limit: 0.02,
  })
})

test('a custom event is a conversion, a mean or a count', () => {
  const own = {
    key: 'orders',
    name: 'Orders',
    event: 'order paid',
    filter: '',
    quantile: null,
    better: 'higher',
    limit: 0.05,
    cap: 10,
  } as const
  expect(ownMetric({ ...own, aggregation: 'proportion' })).toMatchObject({
    unit: 'share',
    method: { kind: 'share', measure: 'custom:order paid', of: 'session' },
  })
  expect(ownMetric({ ...own, aggregation: 'mean' }).method).toEqual({
    kind: 'mean',
    measure: 'custom:order paid',
  })
  expect(ownMetric({ ...own, aggregation: 'count' }).method).toMatchObject({ kind: 'count', cap: 10 })
  expect(ownMetric({ ...own, aggregation: 'quantile', quantile: 0.9 })).toMatchObject({
    unit: 'value',
    method: { kind: 'quantile', measure: 'custom:order paid', p: 0.9 },
  })
})

test('the filter is a part of the measure', () => {
  for (const filter of ['', 'browser:Safari -page:/cart', 'attr:plan="pro: yearly"']) {
    const measure = eventMeasure({ event: 'order: paid', filter })
    expect(readEventMeasure(measure)).toEqual({ event: 'order: paid', filter })
  }
  expect(readEventMeasure('LCP')).toBeUndefined()
})

test('judges all metrics; those without evidence are gone', () => {
  const metrics = builtInMetrics
    .slice(0, 2)
    .map((one) => freezeMetric(one, { limit: one.limit, base: undefined }))
  expect(
    judgeAll(metrics, [], { alpha: 0.05, nextShare: 1 }).map(({ metric, state }) => [metric, state]),
  ).toEqual([
    ['lcp', 'gone'],
    ['inp', 'gone'],
  ])
  expect([0, 1, 2].map((stage) => nextShareOf(plan, stage))).toEqual([0.25, 1, 1])
})
