// The guard's roll-ups on the real engine, compared with counts of the same events in the test. Users change arms, late
// clients carry an earlier stage, batches are repeated, and some values exceed every cap.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../../../test/start.ts'
import { bucketOf, countByHand, inventEvents, latestOf, sendEvents } from './testing/guard-events.ts'
import { latestVitals } from './unit-vitals.ts'

let telltale: Telltale
const events = inventEvents(3_000)
const byHand = countByHand(events)
const batches = Array.from({ length: 30 }, (_, index) => events.slice(index * 100, (index + 1) * 100))

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  for (const index of batches.keys()) await send(index)
})
afterAll(() => telltale[Symbol.asyncDispose]())

const send = (index: number) =>
  sendEvents(telltale.running.services.telemetry, batches[index] ?? [], `guard-${index}`)

/** Reads each table through its final grouping, as every reader does. */
async function readRollUps() {
  const { telemetry } = telltale.running.services
  const rows = async (text: string) => {
    const found = await telemetry.read<{ key: string; found: unknown }>(text)
    return Object.fromEntries(found.map(({ key, found: values }) => [key, values]))
  }
  const withVitals = (table: string, more: string) => {
    const columns = `environment_id, split, measure, epoch, arm, unit, ${more}`
    return `(SELECT ${columns} FROM ${table} UNION ALL ${latestVitals(columns)})`
  }
  const id = (...parts: string[]) =>
    `arrayStringConcat([${parts.map((part) => `toString(${part})`).join(', ')}], '|') AS key`
  return {
    measures: await rows(
      `SELECT ${id('environment_id', 'split', 'measure', 'epoch', 'arm', 'unit')},
        [toFloat64(sum(n)), sum(y)] AS found FROM ${withVitals('unit_measures', 'n, y')} GROUP BY key`,
    ),
    exposures: await rows(
      `SELECT ${id('environment_id', 'split', 'unit', 'epoch')},
        [toString(sum(n)), toString(min(first_ts)), toString(max(last_ts)), tupleElement(min(first_arm), 2),
          arrayStringConcat(arraySort(groupUniqArrayArray(arms)), ',')] AS found FROM exposures GROUP BY key`,
    ),
    buckets: await rows(
      `SELECT ${id('environment_id', 'split', 'measure', 'epoch', 'arm', 'unit', 'bucket')},
        toFloat64(sum(c)) AS found FROM ${withVitals('unit_buckets', 'bucket, c')} GROUP BY key`,
    ),
  }
}

test('every sum, exposure and histogram matches a direct count', async () => {
  expect(Object.keys(byHand.measures).length).toBeGreaterThan(500)
  expect(await readRollUps()).toEqual(byHand)
})

test('repeated batches with their token change nothing', async () => {
  for (const index of [0, 7, 29]) await send(index)
  expect(await readRollUps()).toEqual(byHand)
})

test('merging changes nothing, and neither do later repetitions', async () => {
  const { telemetry } = telltale.running.services
  for (const table of ['events', 'exposures', 'unit_measures', 'unit_buckets', 'unit_vitals']) {
    await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
  }
  expect(await readRollUps()).toEqual(byHand)
  for (const index of [0, 29]) await send(index)
  expect(await readRollUps()).toEqual(byHand)
  const [stored] = await telemetry.read<{ n: string }>('SELECT count() AS n FROM events')
  expect(stored?.n).toBe(String(events.length))
})

test('a unit that changed arms has a first arm and both arms, and a bot has none', () => {
  const sets = Object.values(byHand.exposures).map((values) => values[4])
  expect(sets).toContain('control,treatment')
  expect(events.filter(({ isBot }) => isBot).length).toBeGreaterThan(10)
})

test('vitals are sent again, in any order, in other stages and from other arms', () => {
  const revised = events.filter(({ kind, rev }) => kind === 'vital' && rev > 0)
  expect(revised.length).toBeGreaterThan(100)
  expect(latestOf(revised).length).toBeLessThan(revised.length)
})

test('a bucket is 2 % wide and has bounds', () => {
  expect([0, 1, 1.01, 1.02, 1.0201, 1e12].map((value) => bucketOf(value, 1))).toEqual([0, 0, 1, 1, 2, 1200])
})
