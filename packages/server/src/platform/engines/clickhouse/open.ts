// The client of the telemetry store: the official client over the same HTTP interface for the embedded engine and for
// an external server or cluster. Nothing else in the server connects to them.
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { limits } from '@telltale/core/limits'

export type ClickhouseTarget = {
  url: string
  username?: string
  password?: string
  /** The default database. */
  database?: string
}

export type TelemetryStore = {
  /** Rows of one SELECT without SETTINGS and FORMAT; `{name:Type}` is a parameter. */
  read<Row>(text: string, options?: ReadOptions): Promise<Row[]>
  /** One INSERT with its FORMAT and rows. Settings are part of the text. */
  insert(text: string, rows: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Any other statement. */
  command(text: string, options?: CommandOptions): Promise<void>
  /** Throws if the store does not answer or rejects the credentials. */
  check(signal?: AbortSignal): Promise<void>
  /** Throws if there is no answer. Does not wait for statements. */
  ping(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

export type CommandOptions = Pick<ReadOptions, 'values' | 'signal'>

export type ReadOptions = {
  values?: Record<string, unknown>
  /** Maximum execution time in milliseconds. */
  limit?: number
  /** Maximum number of threads; by default all. */
  threads?: number
  signal?: AbortSignal
}

const second = 1_000
/** Above every limit of the engine itself, so that its error comes first. */
const requestTimeout = 330 * second
const connections = 16

export function openClickhouse(target: () => ClickhouseTarget): TelemetryStore {
  let current: { url: string; client: ClickHouseClient } | undefined

  /** The embedded engine has a new address after each restart. */
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
      // Failures are thrown, and logged by the caller.
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
    async command(text, { values, signal } = {}) {
      await client().command({
        query: text,
        ...(values && { query_params: values }),
        ...(signal && { abort_signal: signal }),
      })
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

/** Ids have 64 bits, which exceed JSON's numbers: they are sent as text. */
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
    // An INSERT has no result.
  }
}
