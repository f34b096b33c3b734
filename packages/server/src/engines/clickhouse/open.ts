// Opens the telemetry store. The same official client over the same HTTP interface serves our own engine and a team's
// server or cluster, and nothing else in the server speaks to either.
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'

export type ClickhouseTarget = { url: string; username?: string; password?: string }

export type TelemetryStore = {
  /** Rows of one SELECT without SETTINGS and FORMAT; `{name:Type}` stands for a value. */
  read<Row>(text: string, options?: ReadOptions): Promise<Row[]>
  /** One INSERT with its FORMAT, and rows in it. Settings stand in the text. */
  insert(text: string, rows: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Any other statement. */
  command(text: string, signal?: AbortSignal): Promise<void>
  /** Throws when the store does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}

export type ReadOptions = {
  values?: Record<string, unknown>
  /** Milliseconds that the engine may spend on it. */
  limit?: number
  signal?: AbortSignal
}

const second = 1_000
const readLimit = 30 * second
const memoryBytes = 1024 * 1024 * 1024
/** Above every limit of the engine's own, so that its word comes first. */
const requestTimeout = 330 * second
const connections = 16

export function openClickhouse(target: () => ClickhouseTarget): TelemetryStore {
  let current: { url: string; client: ClickHouseClient } | undefined

  /** Our own engine has another address after each restart. */
  function client(): ClickHouseClient {
    const { url, username, password } = target()
    if (current?.url === url) return current.client
    current?.client.close().catch(() => undefined)
    const opened = createClient({
      url,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      application: 'telltale',
      // What fails is thrown, and told by who asked.
      log: { level: ClickHouseLogLevel.OFF },
      request_timeout: requestTimeout,
      max_open_connections: connections,
    })
    current = { url, client: opened }
    return opened
  }

  return {
    async read<Row>(text: string, { values, limit = readLimit, signal }: ReadOptions = {}) {
      const found = await client().query({
        query: `${text}\nSETTINGS ${readSettings(limit)}`,
        format: 'JSONEachRow',
        ...(values && { query_params: values }),
        ...(signal && { abort_signal: signal }),
      })
      return found.json<Row>()
    },
    async insert(text, rows, signal) {
      const { stream } = await client().exec({
        query: text,
        values: Readable.from([rows], { objectMode: false }),
        ...(signal && { abort_signal: signal }),
      })
      await drain(stream)
    },
    async command(text, signal) {
      await client().command({ query: text, ...(signal && { abort_signal: signal }) })
    },
    async check() {
      const answer = await client().ping({ select: true })
      if (!answer.success) throw answer.error
    },
    async close() {
      await current?.client.close()
    },
  }
}

/** Ids have 64 bits, which a number of JSON does not hold: they come as text. */
const readSettings = (limit: number) =>
  [
    'readonly=1',
    `max_execution_time=${limit / second}`,
    `max_memory_usage=${memoryBytes}`,
    'output_format_json_quote_64bit_integers=1',
  ].join(', ')

async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream) {
    // An INSERT says nothing.
  }
}

/** ClickHouse's number of an exception, when it was the engine that refused and not the way to it that failed. */
export function refusalCode(error: unknown): number | undefined {
  return error instanceof ClickHouseError ? Number(error.code) : undefined
}
