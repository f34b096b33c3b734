// The ledger of harm: figures of each month, kept after their events have expired, and budgets.

import type { ColumnHarm } from '@telltale/core/guard/ledger/estimate-harm'
import type { HarmKind } from '@telltale/core/guard/ledger/ledger-counts'
import type { PreventedHarm } from '@telltale/core/guard/ledger/prevented-harm'
import type { BudgetPolicy, BudgetUnit } from '@telltale/core/guard/ledger/spend-budget'
import { doublePrecision, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments } from './schema.ts'

/** A rollback by the guard, and what it prevented. */
export interface LedgerRollback {
  rollout: string
  flag: string
  treatment: string
  metric: string | null
  kind: HarmKind
  at: string
  /** The end of the planned stages, or the time of the figures before it. */
  until: string
  /** False while the planned time passes. */
  isFinal: boolean
  /** Null if too few users had the treatment or were affected. */
  prevented: PreventedHarm | null
}

export interface LedgerFound {
  at: string
  /** The time that was counted: events before it may have expired. */
  from: string
  to: string
  /** Users who read a flag. */
  users: number
  columns: readonly ColumnHarm[]
  rollbacks: readonly LedgerRollback[]
  /** Keys of flags that were served without a split. */
  unsplit: readonly string[]
  unsplitCount: number
  /** Splits beyond the limit. */
  leftOut: number
}

export const ledgerMonths = pgTable(
  'ledger_months',
  {
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    /** For example `2026-11`, in the time zone of the environment. */
    month: text('month').notNull(),
    /** Null before it was first computed. */
    found: jsonb('found').$type<LedgerFound>(),
    /** Null after it was computed for the last time. */
    nextAt: instant('next_at'),
    leasedUntil: instant('leased_until'),
  },
  (table) => [
    primaryKey({ name: 'ledger_months_pk', columns: [table.environmentId, table.month] }),
    index('ledger_months_due').on(table.nextAt),
  ],
)

export const harmBudgets = pgTable('harm_budgets', {
  environmentId: uuid('environment_id')
    .primaryKey()
    .references(() => environments.id, { onDelete: 'cascade' }),
  amount: doublePrecision('amount').notNull(),
  unit: text('unit').$type<BudgetUnit>().notNull(),
  policy: text('policy').$type<BudgetPolicy>().notNull(),
  updatedBy: text('updated_by').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
