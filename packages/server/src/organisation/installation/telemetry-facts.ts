import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { EngineState } from '../../platform/engines/engine-state.ts'

interface TelemetryFacts {
  state: EngineState
  reason: string | null
  /** Null while the store does not respond. */
  stored: { version: string; sizeBytes: number; rows: number } | null
}

/** Milliseconds. The rest of the screen should not wait longer. */
const readLimit = 2_000

export async function telemetryFacts(telemetry: Pick<Telemetry, 'state' | 'read'>): Promise<TelemetryFacts> {
  const before = telemetry.state()
  const isUsable = before.state === 'running' || before.state === 'external'
  const stored = isUsable ? await readStored(telemetry) : null
  const { state, reason } = telemetry.state()
  return { state, reason: reason ?? null, stored }
}

async function readStored({ read }: Pick<Telemetry, 'read'>): Promise<TelemetryFacts['stored']> {
  const text = `SELECT version() AS version, toString(sum(bytes_on_disk)) AS size, toString(sum(rows)) AS count
FROM system.parts WHERE active AND database = currentDatabase()`
  const signal = AbortSignal.timeout(2 * readLimit)
  // An external store may deny access to its system tables, and a failing store reports it in its state.
  const rows = await read<{ version: string; size: string; count: string }>(text, {
    limit: readLimit,
    signal,
  }).catch(() => [])
  const [row] = rows
  return row ? { version: row.version, sizeBytes: Number(row.size), rows: Number(row.count) } : null
}
