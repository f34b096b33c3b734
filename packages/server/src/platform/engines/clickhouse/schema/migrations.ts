// The way to the tables that this version needs, oldest first. Forward only: what was released is never changed here, a new
// migration follows it.
import { evaluationCounts, intakeOutcomes } from './counts.ts'
import type { Migration } from './definition.ts'
import { events } from './events.ts'
import { exposures, exposuresView } from './exposures.ts'
import { profileBlobs, profileRows, profileStacks } from './profiles.ts'
import { replayAssets, replayKept, replaySegments } from './replays.ts'
import { sessions, sessionsView } from './sessions.ts'
import { unitBuckets, unitBucketsView } from './unit-buckets.ts'
import { unitMeasures, unitMeasuresView } from './unit-measures.ts'
import { unitVitals, unitVitalsView } from './unit-vitals.ts'
import { viewFlags, viewFlagsView } from './view-flags.ts'
import { views } from './views.ts'

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
  // A failed request is one of those that are counted as requests.
  { name: '0002-failed-requests', steps: [{ refilled: unitMeasuresView }] },
  // Of vitals that are sent again the latest value counts.
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
  // In sessions too: what counts as failed was counted as a request.
  { name: '0004-failed-of-sessions', steps: [{ refilled: sessionsView }] },
  // A view has the variations that were read during it, also of events before and after.
  {
    name: '0005-view-flags',
    steps: [{ table: viewFlags }, { view: viewFlagsView }, { filled: viewFlagsView }],
  },
]
