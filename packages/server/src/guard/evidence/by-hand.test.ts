// The guard's evidence from the real engine, compared with a count over the raw events: units that changed arm
// or stage, late clients with an older stage, bots, capped outliers, another split and another environment in
// the same rows, and batches sent twice.
import { eventMeasure } from '@telltale/core/guard/event-measure'
import type { JudgedMetric, Method } from '@telltale/core/guard/metric-method'
import { bucketOf } from '@telltale/core/statistics/buckets'
import { findQuantiles } from '@telltale/core/statistics/quantile-effect'
import type { ClusteredSums } from '@telltale/core/statistics/sums'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import {
  type GuardEvent,
  inventEvents,
  latestOf,
  sendEvents,
} from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { readEvidence, readEvidenceTogether } from './read-evidence.ts'
import { readSignals } from './read-signal.ts'
import type { ComparedArms } from './split-question.ts'
import { type Seen, sumByHand } from './testing/sum-by-hand.ts'

const events = inventEvents(4_000)
const batches = Array.from({ length: 8 }, (_, index) => events.slice(index * 500, (index + 1) * 500))
const environmentId = events.find(({ environment }) => environment.endsWith('1'))?.environment ?? ''
const split = '18446744073709551615'
const arms: ComparedArms = {
  environmentId,
  split,
  epochs: [
    { epoch: 1, share: 0.1 },
    { epoch: 2, share: 0.5 },
  ],
  treatment: 'treatment',
  control: 'control',
}
const metric = (name: string, method: Method): JudgedMetric => ({
  metric: name,
  method,
  better: 'lower',
  limit: 0.05,
  alphaWeight: 1,
})
const somePaid = eventMeasure({ event: 'paid', filter: 'browser:Chrome,Firefox value:>0.25' })
const metrics: JudgedMetric[] = [
  metric('lcp', { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1, unitWeight: 2 }),
  metric('cls', { kind: 'quantile', measure: 'CLS', p: 0.75, smallest: 0.001 }),
  metric('inp-mean', { kind: 'mean', measure: 'INP', unitWeight: 2 }),
  metric('paid', { kind: 'mean', measure: 'custom:paid' }),
  metric('errors', { kind: 'count', measure: 'error', per: 'session', cap: 2, unitWeight: 2 }),
  metric('rage', { kind: 'share', measure: 'rage_click', of: 'session' }),
  metric('crashes', { kind: 'rare-share', measure: 'unhandled_error', of: 'session' }),
  metric('some-paid', { kind: 'mean', measure: somePaid }),
  metric('some-paid-often', { kind: 'count', measure: somePaid, per: 'session', cap: 1 }),
  metric('ever-paid', { kind: 'share', measure: somePaid, of: 'session' }),
  metric('first-paid', { kind: 'rare-share', measure: somePaid, of: 'session' }),
  metric('paid-p90', { kind: 'quantile', measure: 'custom:paid', p: 0.9, smallest: 0.001 }),
  metric('some-paid-p75', { kind: 'quantile', measure: somePaid, p: 0.75, smallest: 0.001 }),
]

let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  for (const index of batches.keys()) await send(index)
})
afterAll(() => telltale[Symbol.asyncDispose]())

const send = (index: number) =>
  sendEvents(telltale.running.services.telemetry, batches[index] ?? [], `evidence-${index}`)
const read = () => readEvidence(telltale.running.services.telemetry, arms, metrics)

/** All events of a unit under this split, in order of time. */
const seen: Seen[] = latestOf(
  events.filter(({ environment, isBot }) => environment === environmentId && !isBot),
)
  .flatMap((event) => event.arms.flatMap((one) => (one.split === split ? [{ ...one, event }] : [])))
  .toSorted((a, b) => (a.event.at < b.event.at ? -1 : 1))

const times = seen.map(({ event }) => Date.parse(`${event.at.replace(' ', 'T')}Z`))
const isKind = (kind: string, name?: string) => (event: GuardEvent) =>
  event.kind === kind && (name === undefined || event.name === name)

/** Events that pass the filter of some metrics. */
const isSomePaid = (event: GuardEvent) =>
  isKind('custom', 'paid')(event) && ['Chrome', 'Firefox'].includes(event.browser) && event.value > 0.25

const { cells, sumsByHand } = sumByHand(seen)

/** Stage and arm of each unit's first event of a kind. */
function firstByHand(is: (event: GuardEvent) => boolean) {
  const stages = arms.epochs.map(({ share }) => ({ treatment: 0, control: 0, share }))
  const known = new Set<string>()
  for (const { unit, epoch, arm, event } of seen) {
    const stage = stages[epoch - 1]
    if (!is(event) || known.has(unit) || stage === undefined) continue
    known.add(unit)
    stage[arm] += 1
  }
  return stages
}

const countOf = (is: (event: GuardEvent) => boolean) => (all: GuardEvent[]) => all.filter(is).length
const sessions = countOf(isKind('exposure'))

/** Equal except for the order in which numbers were added. */
function expectSums(found: ClusteredSums | undefined, byHand: ClusteredSums): void {
  expect(found?.shared.treatment.length).toBe(1)
  expect(rounded(found)).toEqual(rounded(byHand))
}
const rounded = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_key, one) =>
    typeof one === 'number' ? Number(one.toPrecision(11)) : one,
  )

async function sumsOf(name: string): Promise<ClusteredSums> {
  const { metrics: found } = await read()
  const evidence = found[metrics.findIndex((one) => one.metric === name)]
  if (evidence?.kind === 'ratio') return evidence.sums
  if (evidence?.kind === 'quantile') return evidence.beyond
  throw new Error(`${name} has no sums`)
}

function checkAll(): void {
  test('means with their caps', async () => {
    expectSums(
      await sumsOf('inp-mean'),
      sumsByHand((all) => {
        const values = all.filter(isKind('vital', 'INP')).map(({ value }) => Math.min(value, 10_000))
        return [values.length, values.reduce((sum, value) => sum + value, 0)]
      }, 2),
    )
    expectSums(
      await sumsOf('paid'),
      sumsByHand((all) => {
        const values = all.filter(isKind('custom', 'paid')).map(({ value }) => Math.fround(value))
        return [values.length, values.reduce((sum, value) => sum + Math.max(-1e9, Math.min(1e9, value)), 0)]
      }),
    )
  })

  test('counts per session, capped; a unit without sessions is ignored', async () => {
    const byHand = sumsByHand(
      (all) => [sessions(all), Math.min(countOf(isKind('error'))(all), 2 * sessions(all))],
      2,
    )
    const { metrics: found } = await read()
    const evidence = found[4]
    expectSums(evidence?.kind === 'ratio' ? evidence.sums : undefined, byHand)
    const hits = cells((all) => [sessions(all), countOf(isKind('error'))(all)], 2).kept.filter(
      ({ y }) => y > 0,
    )
    expect(evidence).toMatchObject({ unitsWithEvent: hits.length })
  })

  test('shares of units', async () => {
    expectSums(
      await sumsOf('rage'),
      sumsByHand((all) => [
        Math.min(1, sessions(all)),
        Math.min(1, countOf(({ frustration }) => frustration.includes('rage'))(all)),
      ]),
    )
  })

  test("histograms, quantiles, and each unit's values beyond them", async () => {
    const { metrics: found } = await read()
    const isPaid = isKind('custom', 'paid')
    for (const [name, is, smallest, p, weight] of [
      ['lcp', isKind('vital', 'LCP'), 1, 0.75, 2],
      ['cls', isKind('vital', 'CLS'), 0.001, 0.75, 50],
      ['paid-p90', isPaid, 0.001, 0.9, 50],
      ['some-paid-p75', isSomePaid, 0.001, 0.75, 50],
    ] as const) {
      const evidence = found[metrics.findIndex(({ metric: key }) => key === name)]
      if (evidence?.kind !== 'quantile') throw new Error('a quantile was asked for')
      const bucket = ({ value }: GuardEvent) => bucketOf(Math.fround(value), smallest)
      const left = new Set(cells((all) => [countOf(is)(all), 0], weight).tooLarge.map(({ unit }) => unit))
      const histogram = (arm: Seen['arm'], epoch: number) => {
        const counts: number[] = new Array(1_201).fill(0)
        const here = seen.filter(
          (one) => one.arm === arm && one.epoch === epoch && is(one.event) && !left.has(one.unit),
        )
        for (const { unit, event } of here) {
          const whole = here.filter((one) => one.unit === unit).length
          counts[bucket(event)] = (counts[bucket(event)] ?? 0) + Math.min(1, weight / whole)
        }
        return counts
      }
      const byHand = findQuantiles(
        [1, 2].map((epoch) => ({
          treatment: histogram('treatment', epoch),
          control: histogram('control', epoch),
        })),
        p,
      )
      expect(byHand).toBeDefined()
      expect(rounded(evidence.quantiles)).toEqual(rounded(byHand))
      expectSums(
        evidence.beyond,
        sumsByHand((all, arm) => {
          const buckets = all.filter(is).map(bucket)
          const [end, part] = [byHand?.bucket[arm] ?? 0, byHand?.part[arm] ?? 0]
          const beyond = buckets.filter((one) => one > end).length
          return [buckets.length, beyond + part * buckets.filter((one) => one === end).length]
        }, weight),
      )
    }
  })

  test('filtered events: their mean, count, users, and first users', async () => {
    const values = (all: GuardEvent[]) => all.filter(isSomePaid).map(({ value }) => Math.fround(value))
    expect(seen.filter(({ event }) => isSomePaid(event)).length).toBeGreaterThan(20)
    expectSums(
      await sumsOf('some-paid'),
      sumsByHand((all) => [
        values(all).length,
        values(all).reduce((sum, value) => sum + Math.min(1e9, value), 0),
      ]),
    )
    expectSums(
      await sumsOf('some-paid-often'),
      sumsByHand((all) => [sessions(all), Math.min(values(all).length, sessions(all))]),
    )
    expectSums(
      await sumsOf('ever-paid'),
      sumsByHand((all) => [Math.min(1, sessions(all)), Math.min(1, values(all).length)]),
    )
    const { metrics: found } = await read()
    const first = found[metrics.findIndex(({ metric: key }) => key === 'first-paid')]
    expect(first).toMatchObject({ kind: 'events', stages: firstByHand(isSomePaid) })
  })

  test('the first rare event of each unit, the first exposure, and observed units', async () => {
    const { metrics: found, exposures, heard } = await read()
    const isCrash = (event: GuardEvent) => event.kind === 'error' && !event.isHandled
    expect(found[6]).toMatchObject({ kind: 'events', stages: firstByHand(isCrash) })
    expect(exposures.stages).toEqual(firstByHand(isKind('exposure')))
    const isSign = (event: GuardEvent) =>
      event.kind === 'view' ||
      isKind('vital', 'LCP')(event) ||
      (event.kind === 'resource' && event.endpoint !== '')
    expect(heard).toEqual(firstByHand(isSign))
  })

  test('units in each arm, and those in both arms within one stage', async () => {
    const { exposures } = await read()
    const exposed = seen.filter(({ event }) => event.kind === 'exposure')
    const saw = (arm: string) => new Set(exposed.filter((one) => one.arm === arm).map(({ unit }) => unit))
    const [treatment, control] = [saw('treatment'), saw('control')]
    const crossed = [...treatment].filter((unit) =>
      [1, 2].some((epoch) => {
        const here = exposed.filter((one) => one.unit === unit && one.epoch === epoch)
        return new Set(here.map(({ arm }) => arm)).size > 1
      }),
    )
    expect(exposures.units).toEqual({ treatment: treatment.size, control: control.size })
    expect(exposures.crossed).toBe(crossed.length)
    expect(crossed.length).toBeGreaterThan(0)
    expect(crossed.length).toBeLessThan([...treatment].filter((unit) => control.has(unit)).length)
  })
}

describe('in the order of arrival', () => checkAll())

describe('after repeated batches and merges', () => {
  beforeAll(async () => {
    const { telemetry } = telltale.running.services
    for (const index of [0, 3, 7]) await send(index)
    for (const table of ['exposures', 'unit_measures', 'unit_buckets', 'unit_vitals'])
      await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
  })
  checkAll()
})

test('recently observed units, and the expected number', async () => {
  const { telemetry } = telltale.running.services
  const now = times[Math.floor(times.length / 2)] ?? 0
  const window = 5 * 60_000
  const unitsOf = (arm: string, from: number, to: number) => {
    const there = seen.filter((one, index) => {
      const at = times[index] ?? 0
      return one.arm === arm && at >= from && at < to
    })
    return new Set(there.map(({ unit }) => unit)).size
  }
  const expected = (arm: string) =>
    Array.from({ length: 12 }, (_, index) => now - window * (index + 1)).reduce(
      (sum, end) => sum + unitsOf(arm, end - window, end),
      0,
    ) / 12
  const [signal] = await readSignals(telemetry, [arms], new Date(now))
  const heard = {
    treatment: unitsOf('treatment', now - window, now),
    control: unitsOf('control', now - window, now),
  }
  expect(heard.treatment).toBeGreaterThan(0)
  expect(signal?.heard).toEqual(heard)
  expect(signal?.expected?.treatment).toBeCloseTo(expected('treatment'), 9)
  expect(signal?.expected?.control).toBeCloseTo(expected('control'), 9)
  expect(signal?.isFresh).toBe(true)
  const [silence] = await readSignals(telemetry, [arms], new Date(now + 86_400_000))
  expect(silence).toEqual({ heard: { treatment: 0, control: 0 }, expected: undefined, isFresh: false })
})

test('treatment units that had it in an earlier epoch count as re-exposed', async () => {
  const { telemetry } = telltale.running.services
  const exposedIn = (epoch: number) =>
    new Set(
      seen
        .filter(
          ({ event, ...one }) => event.kind === 'exposure' && one.epoch === epoch && one.arm === 'treatment',
        )
        .map(({ unit }) => unit),
    )
  const [before, now] = [exposedIn(1), exposedIn(2)]
  const again = [...now].filter((unit) => before.has(unit)).length
  const later = await readEvidence(telemetry, { ...arms, epochs: [{ epoch: 2, share: 0.5 }] }, [])
  expect(later.exposures.reexposed).toBeCloseTo(again / now.size, 12)
  expect(again).toBeGreaterThan(0)
  expect(again).toBeLessThan(now.size)
  const whole = await readEvidence(telemetry, arms, [])
  expect(whole.exposures.reexposed, 'nobody had it before the first epoch').toBeUndefined()
})

test('a rollout of one stage reads only that one, and an unknown split nothing', async () => {
  const { telemetry } = telltale.running.services
  const one = await readEvidence(telemetry, { ...arms, epochs: [{ epoch: 2, share: 0.5 }] }, metrics)
  expect(one.metrics[2]).toMatchObject({ sums: { shared: { treatment: [], control: [] } } })
  const nobody = await readEvidence(telemetry, { ...arms, split: '404' }, metrics)
  expect(nobody.exposures.units).toEqual({ treatment: 0, control: 0 })
  for (const evidence of nobody.metrics)
    if (evidence.kind === 'quantile') expect(evidence.quantiles).toBeUndefined()
})

test('splits queried together get the same results as separately', async () => {
  const { telemetry } = telltale.running.services
  const other: ComparedArms = { ...arms, split: '11', epochs: [{ epoch: 2, share: 0.5 }] }
  const some = metrics.slice(3)
  const together = await readEvidenceTogether(telemetry, [
    { arms, metrics },
    { arms: other, metrics: some },
  ])
  const alone = [await read(), await readEvidence(telemetry, other, some)]
  expect(rounded(together)).toEqual(rounded(alone))
  expect(alone[1]?.exposures.units.treatment).toBeGreaterThan(0)
})

test('queries work for many metrics with the longest names', async () => {
  const long = Array.from({ length: 20 }, (_, index) =>
    metric(`long-${index}`, { kind: 'mean', measure: `custom:${'😀'.repeat(99)}${index}` }),
  )
  const [paid] = metrics.filter((one) => one.metric === 'paid')
  const requested = [...long, ...(paid ? [paid] : [])]
  const { metrics: found } = await readEvidence(telltale.running.services.telemetry, arms, requested)
  expect(found.map(({ kind }) => kind)).toEqual(requested.map(() => 'ratio'))
  const last = found.at(-1)
  expect(last?.kind === 'ratio' ? last.sums : undefined).toEqual(await sumsOf('paid'))
})

test('data from before the first stage is not read', async () => {
  const { telemetry } = telltale.running.services
  const later = new Date(Math.max(...times) + 7_200_000)
  const requested = metrics.filter(({ metric: key }) => key === 'some-paid')
  const from = (startedAt: Date) => ({ ...arms, epochs: arms.epochs.map((one) => ({ ...one, startedAt })) })
  const unitsOf = async (startedAt: Date) => {
    const [found] = (await readEvidence(telemetry, from(startedAt), requested)).metrics
    return found?.kind === 'ratio' ? found.sums.stages.map(({ control }) => control.units) : []
  }
  expect(await unitsOf(later)).toEqual([0, 0])
  expect(Math.min(...(await unitsOf(new Date(Math.min(...times)))))).toBeGreaterThan(0)
})

test("a custom event's name is a parameter, whatever it contains", async () => {
  const odd = metric('odd', { kind: 'mean', measure: "custom:it's {n:String}\\'; DROP" })
  const { metrics: found } = await readEvidence(telltale.running.services.telemetry, arms, [odd])
  expect(found[0]).toMatchObject({ kind: 'ratio' })
})
