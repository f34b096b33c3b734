import { monthAt } from '@telltale/core/query/months'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findMonth, findWaitingBudgets } from './queries.ts'
import { spentOf } from './spent-of.ts'

/** Of these environments, those in which rollouts wait: the budget of the current month is spent. */
export async function findSpent(
  db: Queryable,
  environmentIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const spent = new Set<string>()
  for (const { budget, timeZone } of await findWaitingBudgets(db, [...new Set(environmentIds)])) {
    const row = await findMonth(db, budget.environmentId, monthAt(now.getTime(), timeZone))
    if (spentOf(budget, row?.found ?? null).isSpent) spent.add(budget.environmentId)
  }
  return spent
}
