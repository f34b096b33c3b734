// Draws of the canary: what the guard's statistics said of two halves of a site that differ in nothing. Numbers alone: they
// outlive the telemetry they were read from, and name nobody.

import type { CanaryAlarm, CanarySeen } from '@telltale/core/guard/canary/judge-draw'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments } from './schema.ts'

export const canaryDraws = pgTable(
  'canary_draws',
  {
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    /** An epoch of the hidden split, in the tables of telemetry. */
    draw: integer('draw').notNull(),
    /** When the canary was turned on, or begun anew: draws of one series are counted together. */
    series: instant('series').notNull(),
    startedAt: instant('started_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** When its last look was taken; null while it goes on. */
    endedAt: instant('ended_at'),
    /** How its metrics are measured: frozen when it begins. */
    judged: jsonb('judged').$type<JudgedMetric[]>().notNull(),
    seen: jsonb('seen').$type<CanarySeen>(),
    /** The first of each metric, with the least chance that it ever had. */
    alarms: jsonb('alarms').$type<CanaryAlarm[]>().notNull(),
    splitWrong: text('split_wrong', { enum: ['split-wrong', 'people-missing'] }),
    nextAt: instant('next_at').notNull(),
    leasedUntil: instant('leased_until'),
  },
  (table) => [
    primaryKey({ name: 'canary_draws_pk', columns: [table.environmentId, table.draw] }),
    index('canary_draws_due').on(table.nextAt),
  ],
)
