import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../../test/start.ts'
import { migrations } from './schema/migrations.ts'

let telltale: Telltale

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const environment = '0190b3a4-0000-7000-8000-000000000001'
const rows = (...values: unknown[][]) => Buffer.from(values.map((row) => JSON.stringify(row)).join('\n'))
const columns = ['environment_id', 'hour', 'kind', 'source', 'reason', 'count'] as const
const outcomesOf = (count: unknown, token: string) => ({
  table: 'intake_outcomes' as const,
  columns,
  rows: rows([environment, '2026-01-02 03:00:00', 'view', 'browser', '', count]),
  token,
})
const sum = async () => {
  const [found] = await telltale.running.services.telemetry.read<{ n: string }>(
    'SELECT sum(count) AS n FROM intake_outcomes WHERE environment_id = {environment:UUID}',
    { values: { environment } },
  )
  return found?.n
}

test('rows are stored once by their token, and read by plain table names', async () => {
  const { telemetry } = telltale.running.services
  expect(await telemetry.insert(outcomesOf(3, 'a-1'))).toEqual({ kind: 'stored' })
  expect(await telemetry.insert(outcomesOf(3, 'a-1'))).toEqual({ kind: 'stored' })
  expect(await sum()).toBe('3')
  expect(await telemetry.insert(outcomesOf('many', 'a-2'))).toMatchObject({ kind: 'refused', code: 27 })
  expect(await sum()).toBe('3')
})

test('the same rows sent twice concurrently are stored once, also in tables filled by views', async () => {
  const { telemetry } = telltale.running.services
  const rounds = 20
  for (let round = 0; round < rounds; round++) {
    const columns = ['environment_id', 'kind', 'ts', 'event_id', 'session_id', 'arms'] as const
    const session = randomUUID()
    const event = () => [
      environment,
      'view',
      '2026-01-02 03:04:05.678',
      randomUUID(),
      session,
      [['7', 1, 'new', '9']],
    ]
    const batch = {
      table: 'events' as const,
      columns,
      rows: rows(event(), event()),
      token: `twice-${round}`,
    }
    const outcomes = await Promise.all([telemetry.insert(batch), telemetry.insert(batch)])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'stored'])
  }
  const [found] = await telemetry.read<Record<string, string>>(
    `SELECT (SELECT count() FROM events WHERE environment_id = {environment:UUID}) AS events,
       (SELECT sum(events) FROM sessions WHERE environment_id = {environment:UUID}) AS of_sessions,
       (SELECT sum(n) FROM unit_measures WHERE environment_id = {environment:UUID}) AS of_units`,
    { values: { environment } },
  )
  const stored = String(2 * rounds)
  expect(found).toEqual({ events: stored, of_sessions: stored, of_units: stored })
})

test('another server on the same store finds its rows and migrations', async () => {
  await using second = await startTelltale({ beside: telltale })
  expect(
    await second.running.services.telemetry.read('SELECT name FROM schema_migrations ORDER BY name'),
  ).toEqual(migrations.map(({ name }) => ({ name })))
})

test('a query that is too large is distinguished from an unavailable store', async () => {
  const { telemetry } = telltale.running.services
  await expect(telemetry.read('SELECT number FROM numbers(200000)')).rejects.toMatchObject({
    code: 'query-too-large',
  })
  await expect(telemetry.read('SELECT nonsense')).rejects.toThrow('nonsense')
})
