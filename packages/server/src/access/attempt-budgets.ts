// How many attempts are left, counted in PostgreSQL, so that several servers do not allow several times as many. A budget
// allows a burst, then one attempt each time a part of its window has passed (GCRA): it slows down and never blocks for good.

import { createHash } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import { eq, lt, sql } from 'drizzle-orm'
import { attemptBudgets } from '../platform/engines/postgres/attempt-schema.ts'
import type { Queryable } from '../platform/engines/postgres/open.ts'

export interface Budget {
  /** The limit, and the address or the account to which it applies. */
  key: string
  /** Attempts in `window`. */
  most: number
  /** Milliseconds. */
  window: number
  /** For the caller who has none left. */
  detail: string
}

/** Takes one attempt; throws `rate-limited` if none is left. One statement, so that concurrent attempts count. */
export async function takeAttempt(db: Queryable, budget: Budget, now: Date): Promise<void> {
  const { window, detail } = budget
  const key = hashOf(budget)
  const cost = costOf(budget)
  const at = sql`${now.toISOString()}::timestamptz`
  const { restoredAt } = attemptBudgets
  const latest = sql`${at} + ${milliseconds(window)}`
  // Later than any budget of this clock: of a server whose clock is ahead. One attempt, as if the others had been made.
  const held = sql`CASE WHEN ${restoredAt} > ${latest} THEN ${latest} - ${milliseconds(cost)} ELSE greatest(${restoredAt}, ${at}) END`
  const next = sql`${held} + ${milliseconds(cost)}`
  const taken = await db
    .insert(attemptBudgets)
    .values({ key, restoredAt: sql`${at} + ${milliseconds(cost)}` })
    .onConflictDoUpdate({
      target: attemptBudgets.key,
      set: { restoredAt: next },
      setWhere: sql`${next} <= ${latest}`,
    })
    .returning({ key: attemptBudgets.key })
  if (taken.length > 0) return

  const [found] = await db.select().from(attemptBudgets).where(eq(attemptBudgets.key, key))
  const excess = (found?.restoredAt.getTime() ?? 0) + cost - now.getTime() - window
  throw problem('rate-limited', { detail, retryAfterSeconds: Math.max(0, excess) / 1_000 })
}

/** For an attempt that turned out to be valid. */
export async function giveAttemptBack(db: Queryable, budget: Budget): Promise<void> {
  const { restoredAt, key } = attemptBudgets
  await db
    .update(attemptBudgets)
    .set({ restoredAt: sql`${restoredAt} - ${milliseconds(costOf(budget))}` })
    .where(eq(key, hashOf(budget)))
}

/** Deletes budgets of which nothing is taken. */
export async function forgetAttempts(db: Queryable, now: Date): Promise<void> {
  await db.delete(attemptBudgets).where(lt(attemptBudgets.restoredAt, now))
}

const costOf = ({ most, window }: Budget) => window / most
const milliseconds = (span: number) => sql`${span / 1_000}::float8 * interval '1 second'`
/** It contains addresses of clients and e-mail addresses. */
const hashOf = ({ key }: Budget) => createHash('sha256').update(key).digest('base64url')
