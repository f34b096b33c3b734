// Rounds of the A/A test: results of the guard's statistics for two halves of a site that do not differ. Numbers only:
// they outlive the telemetry they were computed from, and contain no personal data.

import type { AaTestAlarm, AaTestSeen } from '@telltale/core/guard/aa-test/judge-round'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments } from './schema.ts'

export const aaTestRounds = pgTable(
  'aa_test_rounds',
  {
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    /** An epoch of the hidden split, as in the telemetry tables. */
    round: integer('round').notNull(),
    /** When the A/A test was turned on or restarted: rounds of one series are evaluated together. */
    series: instant('series').notNull(),
    startedAt: instant('started_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** The time of its last look; null while it is running. */
    endedAt: instant('ended_at'),
    /** How its metrics are measured: frozen at its start. */
    judged: jsonb('judged').$type<JudgedMetric[]>().notNull(),
    seen: jsonb('seen').$type<AaTestSeen>(),
    /** The first alarm of each metric, with its smallest probability. */
    alarms: jsonb('alarms').$type<AaTestAlarm[]>().notNull(),
    splitWrong: text('split_wrong', { enum: ['split-wrong', 'people-missing'] }),
    nextAt: instant('next_at').notNull(),
    leasedUntil: instant('leased_until'),
  },
  (table) => [
    primaryKey({ name: 'aa_test_rounds_pk', columns: [table.environmentId, table.round] }),
    index('aa_test_rounds_due').on(table.nextAt),
  ],
)
