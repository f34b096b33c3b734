// Rounds of the A/A test: what the guard's statistics said of two halves of a site that differ in nothing. Numbers alone: they
// outlive the telemetry they were read from, and name nobody.

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
    /** An epoch of the hidden split, in the tables of telemetry. */
    round: integer('round').notNull(),
    /** When the A/A test was turned on, or begun anew: rounds of one series are counted together. */
    series: instant('series').notNull(),
    startedAt: instant('started_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** When its last look was taken; null while it goes on. */
    endedAt: instant('ended_at'),
    /** How its metrics are measured: frozen when it begins. */
    judged: jsonb('judged').$type<JudgedMetric[]>().notNull(),
    seen: jsonb('seen').$type<AaTestSeen>(),
    /** The first of each metric, with the least chance that it ever had. */
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
