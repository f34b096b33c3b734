// Which rows of each table belong to which data kind, and when they are past. Retention is cut at whole days; a row
// with data of a later day stays.

import type { RetentionCuts, RetentionKind } from '@telltale/core/query/retention'
import type { StoredTable } from '../../platform/engines/clickhouse/schema/tables.ts'

export interface KeptTable {
  table: StoredTable
  kind: RetentionKind
  /** Restricts the rows of the table to those of the kind. */
  only?: string
  /** The day of a row in UTC. */
  day: string
  /** The size on disk, where rows contain it. */
  bytes?: string
  /** Set where rows belong to sessions. */
  session?: string
  /** Never true for rows that stay until a member releases them, or until they are unreferenced. */
  past: ((cuts: RetentionCuts) => string) | undefined
  /** A row covers the whole month of its day. */
  isMonthly?: true
}

const day = 86_400_000
const instant = (at: number) => `fromUnixTimestamp64Milli(${Math.trunc(at)})`
const date = (at: number) => `toDate('${new Date(at).toISOString().slice(0, 10)}')`

/** Data derived from events stays as long as any of them. */
const longest = ({ events, exposures }: RetentionCuts) => Math.min(events, exposures)

function monthOf(at: number): number {
  const day = new Date(at)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1)
}

/** Rows are merged by month, so their days can no longer be distinguished. */
const pastMonths = (cuts: RetentionCuts) => monthOf(longest(cuts))

export const keptTables: readonly KeptTable[] = [
  ...(['events', 'events_sampled'] as const).flatMap((table): KeptTable[] => [
    {
      table,
      kind: 'events',
      only: "kind != 'exposure'",
      day: 'toDate(ts)',
      session: 'session_id',
      past: ({ events }) => `ts < ${instant(events)}`,
    },
    {
      table,
      kind: 'exposures',
      only: "kind = 'exposure'",
      day: 'toDate(ts)',
      session: 'session_id',
      past: ({ exposures }) => `ts < ${instant(exposures)}`,
    },
  ]),
  {
    table: 'sessions',
    kind: 'events',
    day: 'day',
    session: 'session_id',
    past: (cuts) => `day < ${date(longest(cuts))}`,
  },
  {
    table: 'view_flags',
    kind: 'events',
    day: 'day',
    session: 'session_id',
    past: (cuts) => `day < ${date(longest(cuts))}`,
  },
  {
    table: 'views',
    kind: 'events',
    day: 'toDate(started)',
    session: 'session_id',
    past: (cuts) => `started < ${instant(longest(cuts))}`,
  },
  ...(['spans', 'logs'] as const).map(
    (table): KeptTable => ({
      table,
      kind: 'events',
      day: 'toDate(ts)',
      past: ({ events }) => `ts < ${instant(events)}`,
    }),
  ),
  { table: 'traces', kind: 'events', day: 'day', past: ({ events }) => `day < ${date(events)}` },
  ...(['exposures', 'unit_measures', 'unit_vitals'] as const).map(
    (table): KeptTable => ({
      table,
      kind: 'exposures',
      day: 'toDate(first_ts)',
      past: (cuts) => `first_ts < ${instant(pastMonths(cuts))}`,
      isMonthly: true,
    }),
  ),
  {
    table: 'unit_buckets',
    kind: 'exposures',
    day: 'first_day',
    past: (cuts) => `first_day < ${date(pastMonths(cuts))}`,
    isMonthly: true,
  },
  {
    table: 'unit_histories',
    kind: 'exposures',
    day: 'toDate(written)',
    past: (cuts) => `written < ${instant(longest(cuts))}`,
  },
  {
    table: 'replay_segments',
    kind: 'replays',
    day: 'day',
    bytes: 'bytes',
    session: 'session_id',
    past: ({ replays }) => `day < ${date(replays)}`,
  },
  { table: 'replay_kept', kind: 'replays', day: 'day', bytes: 'bytes', past: undefined },
  { table: 'replay_assets', kind: 'replays', day: 'seen', bytes: 'bytes', past: undefined },
  {
    table: 'profile_rows',
    kind: 'profiles',
    day: 'day',
    session: 'session_id',
    past: ({ profiles }) => `day < ${date(profiles)}`,
  },
  {
    table: 'profile_blobs',
    kind: 'profiles',
    day: 'day',
    bytes: 'bytes',
    session: 'session_id',
    past: ({ profiles }) => `day < ${date(profiles)}`,
  },
  { table: 'profile_stacks', kind: 'profiles', day: 'seen', past: undefined },
]

export interface UnusedRows {
  table: StoredTable
  kind: RetentionKind
  column: string
  bytes?: string
  /** An ID as SQL text. */
  literal(id: string): string
  /** The IDs that are still referenced after the night. */
  used(cuts: RetentionCuts): string
}

const ofEnvironment = 'environment_id = {environment:UUID}'

/** The rows that are deleted when they are unreferenced. */
export const unusedRows: readonly UnusedRows[] = [
  {
    table: 'replay_assets',
    kind: 'replays',
    column: 'hash',
    bytes: 'bytes',
    literal: (id) => `toUUID('${id}')`,
    used: ({
      replays,
    }) => `SELECT arrayJoin(assets) FROM replay_segments WHERE ${ofEnvironment} AND day >= ${date(replays)}
      UNION ALL SELECT arrayJoin(assets) FROM replay_kept WHERE ${ofEnvironment}`,
  },
  {
    table: 'profile_stacks',
    kind: 'profiles',
    column: 'stack',
    literal: (id) => id,
    used: ({ profiles }) =>
      `SELECT stack FROM profile_rows WHERE ${ofEnvironment} AND day >= ${date(profiles)}`,
  },
]

/** Recently seen IDs may be referenced by data that has not arrived yet. */
export const unseenSince = (now: number) => date(now - 3 * day)
