// Opens the telemetry store. The same official client over the same HTTP interface serves our own engine and a team's
// server or cluster, and nothing else in the server speaks to either.
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { limits } from '@telltale/core/limits'

export type ClickhouseTarget = {
  url: string
  username?: string
  password?: string
  /** What names without a database belong to. */
  database?: string
}

export type TelemetryStore = {
  /** Rows of one SELECT without SETTINGS and FORMAT; `{name:Type}` stands for a value. */
  read<Row>(text: string, options?: ReadOptions): Promise<Row[]>
  /** One INSERT with its FORMAT, and rows in it. Settings stand in the text. */
  insert(text: string, rows: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Any other statement. */
  command(text: string, signal?: AbortSignal): Promise<void>
  /** Throws when the store does not answer, or refuses us. */
  check(signal?: AbortSignal): Promise<void>
  /** Throws when nobody answers. Waits for no statement. */
  ping(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export type ReadOptions = {
  values?: Record<string, unknown>
  /** Milliseconds that the engine may spend on it. */
  limit?: number
  /** As many processors as it may have; all of them when nobody says. */
  threads?: number
  signal?: AbortSignal
}

const second = 1_000
/** Above every limit of the engine's own, so that its word comes first. */
const requestTimeout = 330 * second
const connections = 16

export function openClickhouse(target: () => ClickhouseTarget): TelemetryStore {
  let current: { url: string; client: ClickHouseClient } | undefined

  /** Our own engine has another address after each restart. */
  function client(): ClickHouseClient {
    const { url, username, password, database } = target()
    if (current?.url === url) return current.client
    current?.client.close().catch(() => undefined)
    const opened = createClient({
      url,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
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
    async read<Row>(
      text: string,
      { values, limit = limits.telemetryReadTimeout, threads, signal }: ReadOptions = {},
    ) {
      const found = await client().query({
        query: `${text}\nSETTINGS ${readSettings(limit, threads)}`,
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
    async check(signal) {
      const found = await client().query({ query: 'SELECT 1', ...(signal && { abort_signal: signal }) })
      await found.text()
    },
    async ping(signal) {
      const answer = await client().ping({ select: false, ...(signal && { abort_signal: signal }) })
      if (!answer.success) throw answer.error
    },
    async close() {
      await current?.client.close()
    },
  }
}

/** Ids have 64 bits, which a number of JSON does not hold: they come as text. */
const readSettings = (limit: number, threads: number | undefined) =>
  [
    'readonly=1',
    `max_execution_time=${limit / second}`,
    `max_memory_usage=${limits.telemetryReadMemory}`,
    `max_result_rows=${limits.telemetryReadRows}`,
    "result_overflow_mode='throw'",
    'output_format_json_quote_64bit_integers=1',
    ...(threads === undefined ? [] : [`max_threads=${threads}`]),
  ].join(', ')

async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream) {
    // An INSERT says nothing.
  }
}
