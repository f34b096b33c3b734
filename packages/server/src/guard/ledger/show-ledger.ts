import type { ReplyOf } from '@telltale/core/contract/call'
import type { getLedger as getLedgerCall, LedgerEntry } from '@telltale/core/contract/ledger'
import type { ColumnHarm } from '@telltale/core/guard/ledger/estimate-harm'
import { monthAt, monthSpan } from '@telltale/core/query/months'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { LedgerFound } from '../../platform/engines/postgres/ledger-schema.ts'
import type { Services } from '../../platform/services.ts'
import { findBudget, findMonth, type HarmBudgetRow } from '../harm-budget/queries.ts'
import { confirmedOf, spentOf } from '../harm-budget/spent-of.ts'
import { findMonths, findWaiting } from './queries.ts'

type Ledger = ReplyOf<typeof getLedgerCall>

/** Reads what was computed last; runs no query on telemetry. */
export async function showLedger(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  environment: EnvironmentRow,
  given: string | undefined,
): Promise<Ledger> {
  const { id, timeZone, samplingSession } = environment
  const month = given ?? monthAt(clock().getTime(), timeZone)
  const [months, row, budget, waiting] = await Promise.all([
    findMonths(db, id),
    findMonth(db, id, month),
    findBudget(db, id),
    findWaiting(db, id),
  ])
  const found = row?.found ?? null
  return {
    month,
    months,
    timeZone,
    figures: found === null ? null : toFigures(found, monthSpan(month, timeZone)),
    sampling: Math.min(1, samplingSession / 100),
    budget: budget === undefined ? null : toBudget(budget, found),
    waiting,
  }
}

function toFigures(found: LedgerFound, span: { from: number; to: number }): Ledger['figures'] {
  const { at, from, to, users, columns, rollbacks, unsplit, unsplitCount, leftOut } = found
  return {
    ...{ at, from, to, users, leftOut },
    isComplete: Date.parse(from) <= span.from && Date.parse(to) >= span.to,
    confirmed: confirmedOf(columns).reduce((sum, one) => sum + one, 0),
    entries: columns.map(toEntry).toSorted(byHarm),
    rollbacks: rollbacks.map(({ isFinal: _isFinal, ...rollback }) => rollback),
    unsplit: { flags: [...unsplit], count: unsplitCount },
  }
}

function toEntry(column: ColumnHarm): LedgerEntry {
  const { flag, variation, control, split, by, users, controlUsers } = column
  const harm = 'fault' in column ? {} : column.harm
  return {
    ...{ flag, variation, control, split, by, users, controlUsers },
    together: 'fault' in column ? [] : column.together.map(toCompared),
    fault: 'fault' in column ? column.fault : null,
    harm: {
      any: harm.any ?? null,
      error: harm.error ?? null,
      'failed-request': harm['failed-request'] ?? null,
      'blank-view': harm['blank-view'] ?? null,
      'server-error': harm['server-error'] ?? null,
    },
  }
}

const toCompared = ({ flag, variation, control, split }: LedgerEntry['together'][number]) => ({
  ...{ flag, variation, control, split },
})

/** Confirmed harm, then what may be harm; what could not be estimated is last. */
function byHarm(one: LedgerEntry, other: LedgerEntry): number {
  const [a, b] = [one.harm.any, other.harm.any]
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return b.confirmed - a.confirmed || b.estimate - a.estimate
}

/** Of the shown month, with the budget as it is now. */
function toBudget(row: HarmBudgetRow, found: LedgerFound | null): NonNullable<Ledger['budget']> {
  const { amount, unit, policy, updatedBy, updatedAt } = row
  return {
    ...{ amount, unit, policy, updatedBy, updatedAt: updatedAt.toISOString() },
    ...spentOf(row, found),
  }
}
