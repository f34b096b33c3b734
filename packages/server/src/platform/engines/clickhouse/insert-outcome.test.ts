// Which failures of an insert are caused by the rows: with the real engine, as far as rows can cause them.
import { ClickHouseError } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../../test/start.ts'
import { outcomeOfFailure, passing, refusals } from './insert-outcome.ts'
import { renderInsert } from './telemetry.ts'

let telltale: Telltale

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const columns = ['environment_id', 'ts', 'value', 'bot', 'flags', 'arms'] as const
const good: unknown[] = [
  '0190b3a4-0000-7000-8000-000000000001',
  '2026-01-02 03:04:05.678',
  1.5,
  0,
  ['a=b'],
  [],
]
const withValue = (index: number, value: unknown) => JSON.stringify(good.with(index, value))
let batches = 0
const send = (line: string) =>
  telltale.running.services.telemetry.insert({
    table: 'events',
    columns,
    rows: Buffer.from(`${JSON.stringify(good)}\n${line}\n`),
    token: `outcome-${batches++}`,
  })

const badLines: [what: string, line: string][] = [
  ['an id that is none', withValue(0, 'not an id')],
  ['a time that is none', withValue(1, 'yesterday')],
  ['text for a number', withValue(2, 'many')],
  ['a list for a number', withValue(3, [1])],
  ['a number for a list', withValue(4, 7)],
  ['an arm with too few members', withValue(5, [[1, 2, 'control']])],
  ['an arm as an object', withValue(5, [{ split: 1, epoch: 1, arm: 'a', unit: 1 }])],
  ['a value too many', JSON.stringify([...good, 1])],
  ['a value too few', JSON.stringify(good.slice(1))],
  ['half a line', JSON.stringify(good).slice(0, -9)],
  ['no JSON', 'oops'],
  ['a zero byte', withValue(4, ['x']).replace('x', '\0')],
]

test.each(badLines)('%s is rejected, with its whole batch', async (_what, line) => {
  expect(await send(line)).toMatchObject({ kind: 'refused' })
  expect(await telltale.running.services.telemetry.read('SELECT count() AS n FROM events')).toEqual([
    { n: '0' },
  ])
})

test('a row of an earlier version may lack the last columns', async () => {
  expect(await send(JSON.stringify(good.slice(0, -1)))).toMatchObject({ kind: 'stored' })
})

test("a row with too many values is rejected beside an earlier version's as well", async () => {
  const lines = [good.slice(0, -1), [...good, 1]].map((row) => JSON.stringify(row))
  expect(await send(lines.join('\n'))).toMatchObject({ kind: 'refused' })
})

const failure = (code: number, type: string) =>
  new ClickHouseError({ message: 'it failed', code: String(code), type })

test.each([...refusals])('code %i %s concerns the rows', (code, type) => {
  expect(outcomeOfFailure(failure(code, type))).toEqual({ kind: 'refused', code, message: 'it failed' })
  expect(passing.has(code)).toBe(false)
})

test.each([...passing])('code %i %s is temporary', (code, type) => {
  expect(outcomeOfFailure(failure(code, type))).toEqual({ kind: 'retry', reason: 'it failed', isKnown: true })
})

test('an unknown code is retried, and reported', () => {
  expect(outcomeOfFailure(failure(9_999, 'NEWS'))).toMatchObject({ kind: 'retry', isKnown: false })
  expect(outcomeOfFailure(new Error('socket hang up'))).toMatchObject({ kind: 'retry', isKnown: true })
})

test('an insert contains its settings, and on a cluster waits for every replica', () => {
  const batch = { table: 'views', columns: ['view_id', 'rev'], token: 'server-7-12.0' } as const
  expect(renderInsert(batch, { isCluster: false })).toBe(
    "INSERT INTO views (view_id, rev) SETTINGS async_insert=0, input_format_json_named_tuples_as_objects=0, deduplicate_blocks_in_dependent_materialized_views=1, insert_deduplication_token='server-7-12.0' FORMAT JSONCompactEachRow",
  )
  expect(renderInsert(batch, { isCluster: true })).toContain(
    "distributed_foreground_insert=1, insert_quorum='auto' FORMAT",
  )
  expect(renderInsert(batch, { isCluster: false, shortRows: true })).toContain(
    'input_format_json_compact_allow_variable_number_of_columns=1',
  )
  expect(() => renderInsert({ ...batch, token: "x', y='" }, { isCluster: false })).toThrow('token')
})
