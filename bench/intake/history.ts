// A history of one environment for benchmarks of queries: made by the steps of the intake, then doubled by copies.

import { eventColumns } from '@telltale/core/telemetry/event-row'
import type { Telemetry } from '../../packages/server/src/platform/engines/clickhouse/telemetry.ts'
import { makeRows } from './rows.ts'
import type { Store } from './store.ts'

const day = 86_400_000
const usersPerEvent = 1 / 160
const rowsPerInsert = 10_000
const hoursADay = 24
const hour = day / hoursADay
const rowsPerCopy = 500_000
const statementLimit = 600_000

interface History {
  environmentId: string
  days: number
  /** Milliseconds since 1970. */
  end: number
  wanted: number
  /** Number of events made by the steps of the intake; the rest are copies of them with other ids. */
  made: number
}

/** So many events over the last days. Returns how many there are. */
export async function fillHistory(store: Store, asked: History): Promise<number> {
  const { telemetry } = store
  const { environmentId, days, end, wanted, made } = asked
  const doublings = Math.max(0, Math.ceil(Math.log2(wanted / made)))
  const base = wanted / 2 ** doublings
  let count = 0
  const clock = () => end - days * day * (1 - Math.min(1, count / base))
  const users = Math.max(100, Math.ceil(base * usersPerEvent))
  for (const { events, views } of makeRows(
    { environmentId, projectId: environmentId, users, clock },
    // The clock advances per chunk: several an hour.
    Math.max(1, Math.min(rowsPerInsert, Math.floor(base / (days * hoursADay)))),
  )) {
    await store.insert({ events, views }, `made-${count}`)
    count += events.length
    process.stderr.write(`\r${count} made `)
    if (count >= base) break
  }
  for (let copies = 0; copies < doublings; copies++) {
    await copy(telemetry, asked, { which: 2 ** copies, events: count })
    count *= 2
    process.stderr.write(`\r${count} copied `)
  }
  process.stderr.write('\n')
  await record(telemetry, environmentId)
  for (const table of ['events', 'sessions', 'views', 'view_flags', 'replay_segments'])
    await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
  return count
}

/** One session in twenty is recorded from its first to its last event, without replay bodies. */
async function record(telemetry: Telemetry, environmentId: string): Promise<void> {
  await telemetry.command(
    `INSERT INTO replay_segments (environment_id, day, session_id, tab_id, seq, started, ended, bytes)
    SELECT environment_id, day, session_id, session_id, arrayJoin(range(20)) AS nth,
      started + toIntervalMillisecond(intDiv(nth * dateDiff('millisecond', started, ended), 20)),
      started + toIntervalMillisecond(intDiv((nth + 1) * dateDiff('millisecond', started, ended), 20)), 60000
    FROM sessions WHERE environment_id = '${environmentId}' AND cityHash64(session_id) % 20 = 0`,
  )
}

/** Doubles the data: other users in other sessions do the same some minutes later. */
async function copy(
  telemetry: Telemetry,
  { days, end }: History,
  { which, events }: { which: number; events: number },
): Promise<void> {
  const other = (column: string) =>
    `reinterpretAsUUID(bitXor(reinterpretAsUInt128(${column}), toUInt128(${which})))`
  const changed = [
    ...['event_id', 'session_id', 'tab_id', 'view_id'].map((column) => `${other(column)} AS ${column}`),
    `bitXor(user_hash, ${which}) AS user_hash`,
    `concat(anonymous_id, '-${which}') AS anonymous_id`,
    ...['ts', 'client_ts', 'received_at'].map(
      (column) => `${column} - INTERVAL ${which * 7} MINUTE AS ${column}`,
    ),
  ]
  const moved = changed.map((expression) => expression.split(' AS ')[1] ?? '')
  const kept = eventColumns.filter((column) => !moved.includes(column))
  // A statement copies few enough rows for the memory of the engine.
  const step = Math.max(hour, Math.floor((day * rowsPerCopy) / Math.max(1, events / days)))
  const first = end - (days + 1) * day
  for (let from = first; from < end; from += step) {
    await telemetry.command(
      `INSERT INTO events (${[...moved, ...kept].join(', ')}) SELECT ${[...changed.map((one) => one.split(' AS ')[0]), ...kept].join(', ')}
      FROM events WHERE ts >= fromUnixTimestamp64Milli(${from}) AND ts < fromUnixTimestamp64Milli(${from + step}) SETTINGS max_execution_time = ${statementLimit / 1_000}`,
    )
  }
}
