import { and, eq, inArray } from 'drizzle-orm'
import { harmBudgets, ledgerMonths } from '../../platform/engines/postgres/ledger-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

export type HarmBudgetRow = typeof harmBudgets.$inferSelect

/** The stored figures of a month. */
export async function findMonth(
  db: Queryable,
  environmentId: string,
  month: string,
): Promise<typeof ledgerMonths.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(ledgerMonths)
    .where(and(eq(ledgerMonths.environmentId, environmentId), eq(ledgerMonths.month, month)))
  return row
}

export async function findBudget(db: Queryable, environmentId: string): Promise<HarmBudgetRow | undefined> {
  const [row] = await db.select().from(harmBudgets).where(eq(harmBudgets.environmentId, environmentId))
  return row
}

/** Budgets that make rollouts wait, of these environments, each with the time zone of its environment. */
export async function findWaitingBudgets(
  db: Queryable,
  environmentIds: readonly string[],
): Promise<{ budget: HarmBudgetRow; timeZone: string }[]> {
  if (environmentIds.length === 0) return []
  return db
    .select({ budget: harmBudgets, timeZone: environments.timeZone })
    .from(harmBudgets)
    .innerJoin(environments, eq(environments.id, harmBudgets.environmentId))
    .where(and(eq(harmBudgets.policy, 'wait'), inArray(harmBudgets.environmentId, [...environmentIds])))
}
