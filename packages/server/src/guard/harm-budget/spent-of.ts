import type { ColumnHarm } from '@telltale/core/guard/ledger/estimate-harm'
import { spendBudget } from '@telltale/core/guard/ledger/spend-budget'
import type { LedgerFound } from '../../platform/engines/postgres/ledger-schema.ts'
import type { HarmBudgetRow } from './queries.ts'

/** Confirmed harm of any kind, by column. */
export const confirmedOf = (columns: readonly ColumnHarm[]) =>
  columns.map((column) => ('fault' in column ? 0 : (column.harm.any?.confirmed ?? 0)))

/** Without figures, nothing is spent. */
export function spentOf(budget: Pick<HarmBudgetRow, 'amount' | 'unit'>, found: LedgerFound | null) {
  return spendBudget(budget, { users: found?.users ?? 0, confirmed: confirmedOf(found?.columns ?? []) })
}
