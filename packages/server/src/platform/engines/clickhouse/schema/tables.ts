// The tables by name, for code that inserts or deletes rows: table and column names are type-checked.
import { evaluationCounts, intakeOutcomes } from './counts.ts'
import type { TableDefinition } from './definition.ts'
import { events } from './events.ts'
import { eventsSampled } from './events-sampled.ts'
import { exposures } from './exposures.ts'
import { profileBlobs, profileRows, profileStacks } from './profiles.ts'
import { replayAssets, replayKept, replaySegments } from './replays.ts'
import { sessions } from './sessions.ts'
import { logs, spans, traces } from './spans.ts'
import { unitBuckets } from './unit-buckets.ts'
import { unitHistories } from './unit-histories.ts'
import { unitMeasures } from './unit-measures.ts'
import { unitVitals } from './unit-vitals.ts'
import { viewFlags } from './view-flags.ts'
import { views } from './views.ts'

/** Tables that rows are inserted into; the others are filled by views. */
const writtenTables = {
  events,
  views,
  replay_segments: replaySegments,
  replay_kept: replayKept,
  replay_assets: replayAssets,
  profile_rows: profileRows,
  profile_stacks: profileStacks,
  profile_blobs: profileBlobs,
  intake_outcomes: intakeOutcomes,
  evaluation_counts: evaluationCounts,
  /** Mostly filled by views; exposures of the A/A test, which are not events, are inserted. */
  exposures,
  unit_measures: unitMeasures,
  spans,
  logs,
}

/** All tables with rows. */
const storedTables = {
  ...writtenTables,
  events_sampled: eventsSampled,
  sessions,
  unit_buckets: unitBuckets,
  unit_vitals: unitVitals,
  unit_histories: unitHistories,
  view_flags: viewFlags,
  traces,
} as const satisfies Record<string, TableDefinition>

export type StoredTable = keyof typeof storedTables

export function isStoredTable(name: string): name is StoredTable {
  return Object.hasOwn(storedTables, name)
}

export type WrittenTable = keyof typeof writtenTables
export type WrittenColumn<Table extends WrittenTable> = keyof (typeof writtenTables)[Table]['columns'] &
  string

export const tableNames: readonly WrittenTable[] = (
  Object.keys as (of: typeof writtenTables) => WrittenTable[]
)(writtenTables)

export function isColumnOf<Table extends WrittenTable>(
  table: Table,
  name: string,
): name is WrittenColumn<Table> {
  return Object.hasOwn(writtenTables[table].columns, name)
}
