// Which sessions of an environment are recorded more often now. Without a row, all have the configured rates.

import type { RecordingRates } from '@telltale/core/recording/chance'
import type { OpenQuestion, QuestionPart, RecordingPlan } from '@telltale/core/recording/plan-orders'
import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments } from './schema.ts'

/** What needs recordings, with the name that members know. */
export interface Lacking extends Pick<OpenQuestion, 'kind' | 'id'> {
  /** The key of the flag, or the type of the issue. */
  name: string
  parts: Pick<QuestionPart, 'target' | 'replay' | 'profile'>[]
}

export interface StoredPlan extends RecordingPlan {
  at: string
  lacking: Lacking[]
}

/** The highest rates of the last hours: recordings of that time still arrive. */
export interface RecordingPeak extends RecordingRates {
  /** Milliseconds since 1970. */
  until: number
}

export const recordingPlans = pgTable('recording_plans', {
  environmentId: uuid('environment_id')
    .primaryKey()
    .references(() => environments.id, { onDelete: 'cascade' }),
  plan: jsonb('plan').$type<StoredPlan>(),
  peak: jsonb('peak').$type<RecordingPeak>(),
  nextAt: instant('next_at').notNull(),
  leasedUntil: instant('leased_until'),
})
