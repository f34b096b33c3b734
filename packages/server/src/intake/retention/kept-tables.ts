// Which rows of which table are of which kind, and when they are past. Everything is cut at whole days; nothing that a row
// says of a younger day goes.

import type { RetentionCuts, RetentionKind } from '@telltale/core/query/retention'
import type { StoredTable } from '../../platform/engines/clickhouse/schema/tables.ts'

export interface KeptTable {
  table: StoredTable
  kind: RetentionKind
  /** Narrows the rows of the table to those of the kind. */
  only?: string
  /** The day of a row in UTC. */
  day: string
  /** What it takes on disk, where a row says so itself. */
  bytes?: string
  /** Where rows are of sessions. */
  session?: string
  /** Never true for rows that stay until somebody lets go of them, or until nothing refers to them. */
  past: ((cuts: RetentionCuts) => string) | undefined
  /** A row holds what happened in the whole month of its day. */
  isMonthly?: true
}

const day = 86_400_000
const instant = (at: number) => `fromUnixTimestamp64Milli(${Math.trunc(at)})`
const date = (at: number) => `toDate('${new Date(at).toISOString().slice(0, 10)}')`

/** What is derived from events stays as long as any of them. */
const longest = ({ events, exposures }: RetentionCuts) => Math.min(events, exposures)

function monthOf(at: number): number {
  const day = new Date(at)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1)
}

/** Rows of a month are merged: which of its days they are about can no longer be told. */
const pastMonths = (cuts: RetentionCuts) => monthOf(longest(cuts))

export const keptTables: readonly KeptTable[] = [
  {
    table: 'events',
    kind: 'events',
    only: "kind != 'exposure'",
    day: 'toDate(ts)',
    session: 'session_id',
    past: ({ events }) => `ts < ${instant(events)}`,
  },
  {
    table: 'events',
    kind: 'exposures',
    only: "kind = 'exposure'",
    day: 'toDate(ts)',
    session: 'session_id',
    past: ({ exposures }) => `ts < ${instant(exposures)}`,
  },
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
  /** An id as it stands in a statement. */
  literal(id: string): string
  /** The ids that something still refers to once the night is over. */
  used(cuts: RetentionCuts): string
}

const ofEnvironment = 'environment_id = {environment:UUID}'

/** What goes when nothing refers to it. */
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

/** Something that was seen lately may be referred to by what has not arrived yet. */
export const unseenSince = (now: number) => date(now - 3 * day)
