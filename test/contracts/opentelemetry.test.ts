// The unmodified packages of OpenTelemetry in a process of their own: what they send is stored as what exporters in
// memory saw in the same run, by protobuf and by JSON.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage, untilWritten } from '../intake/stage.ts'

const run = promisify(execFile)
const service = join(import.meta.dirname, 'opentelemetry/service.cjs')
const kinds = ['internal', 'server', 'client', 'producer', 'consumer']

interface SeenSpan {
  traceId: string
  spanId: string
  parentId: string
  name: string
  kind: number
  failed: boolean
  startedAt: number
  attributes: string[]
  events: string[]
}
interface Seen {
  spans: SeenSpan[]
  records: { body: string; traceId: string; spanId: string }[]
}

let stage: IntakeStage
let seen: Seen

function databaseOf(): object {
  const target = inject('postgres')
  if (target.kind === 'url') return { connectionString: target.url }
  const { host, port, username: user, password, database } = target
  return { host, port, user, password, database }
}

beforeAll(async () => {
  stage = await openIntakeStage()
  const { telltale, owner } = stage
  const made = await telltale.request('POST', `${environments}/development/keys`, {
    as: owner,
    body: { kind: 'server', label: 'orders' },
  })
  const { stdout } = await run(process.execPath, [service], {
    maxBuffer: 64 * 1_024 * 1_024,
    env: {
      PATH: process.env.PATH,
      OTEL_SERVICE_NAME: 'orders',
      OTEL_RESOURCE_ATTRIBUTES: 'service.version=3.1.4,deployment.environment.name=development',
      OTEL_EXPORTER_OTLP_ENDPOINT: telltale.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${made.body.value ?? made.body.key}`,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      SERVICE_DATABASE: JSON.stringify(databaseOf()),
    },
  })
  seen = JSON.parse(stdout)
})
beforeEach(() => untilWritten(stage.telltale))
afterAll(() => stage?.[Symbol.asyncDispose]())

const hex = "replaceAll(toString(trace_id), '-', '')"

test('every span is stored once, with its parent, its time and the names of its attributes', async () => {
  const stored = await stage.read<Record<string, unknown>>(
    `SELECT ${hex} AS traceId, span_id AS spanId, parent_id AS parentId, toString(name) AS name, toString(kind) AS kind,
      status = 'error' AS failed, toString(toUnixTimestamp64Micro(ts)) AS startedAt, arraySort(mapKeys(attrs)) AS attributes, version
    FROM spans WHERE service = 'orders' ORDER BY spanId`,
  )
  const expected = seen.spans
    .map(({ events: _, kind, failed, startedAt, ...span }) => ({
      ...span,
      kind: kinds[kind],
      failed: failed ? 1 : 0,
      startedAt: String(startedAt),
      version: '3.1.4',
    }))
    .sort((one, other) => (one.spanId < other.spanId ? -1 : 1))
  // Of each visit: itself, the request of the client and of the server, Fastify's handlers, and mostly a query.
  expect(expected.length).toBeGreaterThan(24 * 3)
  expect(stored.map(rounded)).toEqual(expected.map(rounded))
})

/** The client's clock is exact to the nanosecond, and a microsecond may be cut in two ways. */
function rounded(span: Record<string, unknown>) {
  return { ...span, startedAt: Math.round(Number(span.startedAt) / 10) }
}

test('the trees are those that the services built', async () => {
  const [visit] = seen.spans.filter(({ name }) => name === 'visit 0')
  const { body } = await stage.telltale.request(
    'GET',
    `${environments}/development/traces/${visit?.traceId}`,
    { as: stage.owner },
  )
  const shape = (spans: { spanId: string; parentId: string }[]) =>
    spans.map(({ spanId, parentId }) => `${parentId} > ${spanId}`).sort()
  expect(shape(body.spanList)).toEqual(shape(seen.spans.filter(({ traceId }) => traceId === visit?.traceId)))
  expect(body).toMatchObject({ name: 'visit 0', service: 'orders', left: 0 })
  expect(body.spanList.map(({ system }: { system: string }) => system)).toContain('postgresql')
})

test('log records are stored with the span that wrote them', async () => {
  const stored = await stage.read<Record<string, unknown>>(
    `SELECT body, ${hex} AS traceId, span_id AS spanId FROM logs WHERE service = 'orders' AND level = 'info' ORDER BY body`,
  )
  expect(stored).toEqual([...seen.records].sort((one, other) => (one.body < other.body ? -1 : 1)))
  expect(stored).toHaveLength(20)
})

test('exceptions are errors of their trace, and evaluations exposures', async () => {
  const errors = await stage.read<{ trace: string; type: string; stack: string }>(
    "SELECT trace_id AS trace, toString(err_type) AS type, err_stack AS stack FROM events WHERE kind = 'error' AND source = 'otlp'",
  )
  const failed = seen.spans.filter(({ events }) => events.includes('exception'))
  expect(new Set(errors.map(({ trace }) => trace))).toEqual(new Set(failed.map(({ traceId }) => traceId)))
  expect(errors).toHaveLength(4)
  expect(errors[0]).toMatchObject({ type: 'TypeError', stack: expect.stringContaining('service.cjs') })
  const exposures = await stage.read<{ user: string; read: string }>(
    "SELECT user_key AS user, arrayStringConcat(flags, ' ') AS read FROM events WHERE kind = 'exposure' AND source = 'otlp'",
  )
  expect(exposures).toHaveLength(20)
  expect(exposures).toContainEqual({ user: 'user-7', read: 'checkout=old' })
})
