// Attempts at passwords, codes and links, counted by all servers of the installation together.

import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const attemptBudgets = pgTable(
  'attempt_budgets',
  {
    /** A hash of the limit with the address and the account to which it applies. */
    key: text('key').primaryKey(),
    /** When all attempts that were taken are available again. */
    restoredAt: instant('restored_at').notNull(),
  },
  (table) => [index('attempt_budgets_restored').on(table.restoredAt)],
)
