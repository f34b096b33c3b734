// Verdicts of splits that no rollout guards: numbers only, for as long as the split serves these weights.

import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { PairVerdict } from '@telltale/core/guard/unguarded/judge-split'
import { bigint, index, integer, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments, splits } from './schema.ts'

/** How many splits of an environment were ever judged. Each has its own part of the budget for false alarms. */
export const unguardedBudgets = pgTable('unguarded_budgets', {
  environmentId: uuid('environment_id')
    .primaryKey()
    .references(() => environments.id, { onDelete: 'cascade' }),
  judged: integer('judged').notNull(),
})

export interface SplitSeen {
  at: string
  pairs: (PairVerdict & {
    /** The additional affected users per hour, of the regressed metric with the most. */
    harm: { metric: string; usersPerHour: number } | null
  })[]
}

export const unguardedSplits = pgTable(
  'unguarded_splits',
  {
    splitId: bigint('split_id', { mode: 'bigint' })
      .primaryKey()
      .references(() => splits.id, { onDelete: 'cascade' }),
    epoch: integer('epoch').notNull(),
    /** Its place in the budget, from 1; null until it has enough users. */
    ordinal: integer('ordinal'),
    /** How its metrics are measured: frozen when the epoch was first seen. */
    judged: jsonb('judged').$type<JudgedMetric[]>().notNull(),
    seen: jsonb('seen').$type<SplitSeen>(),
    /** Counted at the last look; a split is not looked at again without new ones. */
    measurements: bigint('measurements', { mode: 'number' }).notNull().default(0),
    nextAt: instant('next_at').notNull(),
    leasedUntil: instant('leased_until'),
  },
  (table) => [index('unguarded_splits_due').on(table.nextAt)],
)
