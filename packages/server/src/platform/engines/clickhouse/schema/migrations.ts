// The migrations to the tables of this version, oldest first. Forward only: released migrations are never changed, but
// followed by new ones.
import { evaluationCounts, intakeOutcomes } from './counts.ts'
import type { Migration, Step, TableDefinition } from './definition.ts'
import { events } from './events.ts'
import { eventsSampled, eventsSampledView } from './events-sampled.ts'
import { exposures, exposuresView } from './exposures.ts'
import { profileBlobs, profileRows, profileStacks } from './profiles.ts'
import { replayAssets, replayKept, replaySegments } from './replays.ts'
import { sessions, sessionsView } from './sessions.ts'
import { logs, spans, traces, tracesView } from './spans.ts'
import { unitBuckets, unitBucketsView } from './unit-buckets.ts'
import { unitHistories } from './unit-histories.ts'
import { unitMeasures, unitMeasuresView } from './unit-measures.ts'
import { unitVitals, unitVitalsView } from './unit-vitals.ts'
import { viewFlags, viewFlagsView } from './view-flags.ts'
import { views } from './views.ts'

const added = <Table extends TableDefinition>(
  table: string,
  { columns }: Table,
  names: readonly (keyof Table['columns'] & string)[],
): Step[] =>
  names.map((name) => ({
    alteration: { table, change: `ADD COLUMN IF NOT EXISTS ${name} ${columns[name]}` },
  }))

export const migrations: readonly Migration[] = [
  {
    name: '0001-first-tables',
    steps: [
      { table: events },
      { table: sessions },
      { view: sessionsView },
      { table: views },
      { table: exposures },
      { view: exposuresView },
      { table: unitMeasures },
      { view: unitMeasuresView },
      { table: unitBuckets },
      { view: unitBucketsView },
      { table: replaySegments },
      { table: replayKept },
      { table: replayAssets },
      { table: profileRows },
      { table: profileStacks },
      { table: profileBlobs },
      { table: intakeOutcomes },
      { table: evaluationCounts },
    ],
  },
  // Failed requests are a subset of the counted requests.
  { name: '0002-failed-requests', steps: [{ refilled: unitMeasuresView }] },
  // If a vital is sent again, its latest value counts.
  {
    name: '0003-latest-vitals',
    steps: [
      { alteration: { table: 'events', change: `ADD COLUMN IF NOT EXISTS rev ${events.columns.rev}` } },
      {
        alteration: {
          table: 'sessions',
          change: `ADD COLUMN IF NOT EXISTS inp_views ${sessions.columns.inp_views}`,
        },
      },
      { table: unitVitals },
      { refilled: unitMeasuresView },
      { refilled: unitBucketsView },
      { view: unitVitalsView },
      { refilled: sessionsView },
    ],
  },
  // Also in sessions: failed requests are a subset of the counted requests.
  { name: '0004-failed-of-sessions', steps: [{ refilled: sessionsView }] },
  // A view has the variations that were read during it, including those of earlier and later events.
  {
    name: '0005-view-flags',
    steps: [{ table: viewFlags }, { view: viewFlagsView }, { filled: viewFlagsView }],
  },
  // Telemetry of servers has its own measures, and makes no sessions.
  {
    name: '0006-server-telemetry',
    steps: [
      { alteration: { table: 'events', change: `ADD COLUMN IF NOT EXISTS origin ${events.columns.origin}` } },
      { refilled: sessionsView },
      { refilled: viewFlagsView },
      { refilled: unitMeasuresView },
      { refilled: unitBucketsView },
      { refilled: unitVitalsView },
    ],
  },
  // What servers report by OpenTelemetry.
  {
    name: '0007-traces',
    steps: [{ table: spans }, { table: traces }, { view: tracesView }, { table: logs }],
  },
  // What users did before a rollout or an experiment.
  { name: '0008-unit-histories', steps: [{ table: unitHistories }] },
  // What the guard reads most often is decompressed faster. Stored parts follow when they are merged.
  {
    name: '0009-light-codecs',
    steps: Object.entries(unitMeasures.columns)
      .filter(([, type]) => type.includes('CODEC'))
      .map(([column, type]) => ({
        alteration: { table: 'unit_measures', change: `MODIFY COLUMN ${column} ${type}`, ofStorage: true },
      })),
  },
  // Queries over very many events read those of a part of the users. Earlier events are not added: that could take hours.
  {
    name: '0010-events-sampled',
    steps: [{ table: eventsSampled }, { view: eventsSampledView }],
  },
  // How likely each session was to be recorded: what is counted of recordings is weighted by it.
  {
    name: '0011-inclusion',
    steps: [
      ...added('events', events, ['replay_inclusion', 'profile_inclusion']),
      ...added('events_sampled', events, ['replay_inclusion', 'profile_inclusion']),
      ...added('sessions', sessions, ['replay_inclusion', 'profile_inclusion']),
      ...added('replay_segments', replaySegments, ['inclusion']),
      ...added('profile_rows', profileRows, ['inclusion']),
      { refilled: sessionsView },
      { refilled: eventsSampledView },
    ],
  },
]
