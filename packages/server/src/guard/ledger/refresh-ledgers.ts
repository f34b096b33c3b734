// Computes the months of ledgers: the current one again and again, a past one until no event can arrive late. With
// several servers, a lease assigns each month to one of them. Pages read what is stored.

import { estimateHarm } from '@telltale/core/guard/ledger/estimate-harm'
import { ledger } from '@telltale/core/ledger-limits'
import { addMonths, monthAt, monthSpan, monthsBetween } from '@telltale/core/query/months'
import { dayStart } from '@telltale/core/query/retention'
import { type EnvironmentRow, findEnvironmentById } from '../../organisation/environments/queries.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { LedgerFound } from '../../platform/engines/postgres/ledger-schema.ts'
import type { Services } from '../../platform/services.ts'
import { countFlagReaders, countLedgerUsers } from './count-users.ts'
import { findLedgerSplits, findUnsplitFlags, type LedgerPeriod } from './find-splits.ts'
import { beginMonths, claimMonth, findSplitSpans, keepMonth, type LedgerRow } from './queries.ts'
import { readRollbacks } from './read-rollbacks.ts'

type LedgerServices = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

export async function refreshLedgers(services: LedgerServices): Promise<void> {
  const { db, telemetry, clock, log } = services
  await noteMonths(services)
  if (!isUsable(telemetry.state().state)) return
  const by = clock()
  const claim = () => claimMonth(db, { by, now: clock() })
  // Sequentially, to spare the shared engine. A month that was computed or failed is not due again in this pass.
  for (let row = await claim(); row !== undefined; row = await claim()) {
    try {
      await refresh(services, row)
    } catch (error) {
      // Its lease expires, and a server tries again.
      const { environmentId, month } = row
      log.warn(
        { err: error, environment: environmentId, month },
        'a month of the ledger could not be computed',
      )
    }
  }
}

/** Months with a split of several variations. */
async function noteMonths({ db, clock }: Pick<LedgerServices, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const firstOf = (timeZone: string) =>
    monthSpan(addMonths(monthAt(now.getTime(), timeZone), -ledger.monthsBack), timeZone).from
  const longest = 32 * 86_400_000
  const spans = await findSplitSpans(db, new Date(now.getTime() - (ledger.monthsBack + 1) * longest))
  const months = new Map<string, { environmentId: string; month: string; nextAt: Date }>()
  for (const { environmentId, timeZone, startedAt, endedAt } of spans) {
    const from = Math.max(startedAt.getTime(), firstOf(timeZone))
    const to = Math.min(endedAt?.getTime() ?? now.getTime(), now.getTime()) + 1
    if (to <= from) continue
    for (const month of monthsBetween({ from, to }, timeZone))
      months.set(`${environmentId} ${month}`, { environmentId, month, nextAt: now })
  }
  await beginMonths(db, [...months.values()])
}

async function refresh(services: LedgerServices, row: LedgerRow): Promise<void> {
  const { db, clock } = services
  const environment = await findEnvironmentById(db, row.environmentId)
  if (environment === undefined) return
  const now = clock()
  const began = performance.now()
  const { from, to } = monthSpan(row.month, environment.timeZone)
  const kept = dayStart(now.getTime(), {
    timeZone: environment.timeZone,
    daysBefore: environment.retentionEvents,
  })
  const period = { from: new Date(Math.max(from, kept)), to: new Date(Math.min(to, now.getTime())) }
  const isKnownLonger = row.found !== null && Date.parse(row.found.from) < period.from.getTime()
  // Events have expired since: what was counted with them stays.
  const isLost = period.to <= period.from || (isKnownLonger && now.getTime() >= to)
  const found = isLost ? row.found : await compute(services, { environment, period, row, now })
  const isOver = now.getTime() >= to + ledger.complete
  const rest = Math.max(ledger.interval, ledger.work * (performance.now() - began))
  await keepMonth(db, row, { found, nextAt: isOver || isLost ? null : new Date(clock().getTime() + rest) })
}

interface Computing {
  environment: EnvironmentRow
  period: LedgerPeriod
  row: LedgerRow
  now: Date
}

async function compute(
  { db, telemetry }: Pick<LedgerServices, 'db' | 'telemetry'>,
  { environment, period, row, now }: Computing,
): Promise<LedgerFound> {
  const counted = { ...period, environmentId: environment.id }
  const { splits, leftOut } = await findLedgerSplits(db, environment.id, period)
  const counts = await countLedgerUsers(telemetry, counted, splits)
  const known = row.found?.rollbacks ?? []
  const rollbacks = { environmentId: environment.id, period, now, known }
  return {
    at: now.toISOString(),
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    users: await countFlagReaders(telemetry, counted),
    columns: estimateHarm(splits, counts),
    rollbacks: await readRollbacks({ db, telemetry }, rollbacks),
    ...(await findUnsplitFlags(
      db,
      environment.id,
      splits.map(({ flag }) => flag),
    )),
    leftOut,
  }
}
