// Rollbacks of the guard in a month, and what they prevented.

import { estimateHarm } from '@telltale/core/guard/ledger/estimate-harm'
import {
  comparableEpochs,
  type HarmKind,
  type LedgerSplit,
  weightIn,
} from '@telltale/core/guard/ledger/ledger-counts'
import {
  type PlannedWindow,
  plannedWindows,
  preventedHarm,
  type SparedUsers,
} from '@telltale/core/guard/ledger/prevented-harm'
import { ledger } from '@telltale/core/ledger-limits'
import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { LedgerRollback } from '../../platform/engines/postgres/ledger-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rolloutDecisions, rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { flags, splitEpochs } from '../../platform/engines/postgres/schema.ts'
import { planOf, type RolloutRow, standingOf } from '../rollouts/queries.ts'
import { countLedgerUsers } from './count-users.ts'
import type { LedgerPeriod } from './find-splits.ts'

interface Sources {
  db: Queryable
  telemetry: Pick<Telemetry, 'read'>
}

interface RolledBack {
  row: RolloutRow
  flag: string
  at: Date
  stage: number
  metric: string | null
}

interface RollbacksQuery {
  environmentId: string
  period: LedgerPeriod
  now: Date
  /** Of the last time: what is final is not read again. */
  known: readonly LedgerRollback[]
}

/** The latest first. */
export async function readRollbacks(sources: Sources, query: RollbacksQuery): Promise<LedgerRollback[]> {
  const found = await findRolledBack(sources.db, query)
  const read: LedgerRollback[] = []
  // Sequentially, to spare the shared engine.
  for (const one of found) {
    const known = query.known.find(({ rollout, isFinal }) => isFinal && rollout === one.row.id)
    read.push(known ?? (await readOne(sources, one, query.now)))
  }
  return read
}

/** By the guard, because of a regression. */
async function findRolledBack(
  db: Queryable,
  { environmentId, period }: RollbacksQuery,
): Promise<RolledBack[]> {
  const { at, stage, metric } = rolloutDecisions
  return db
    .select({ row: rollouts, flag: flags.key, at, stage, metric })
    .from(rolloutDecisions)
    .innerJoin(rollouts, eq(rollouts.id, rolloutDecisions.rolloutId))
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(
      and(
        eq(rollouts.environmentId, environmentId),
        eq(rolloutDecisions.action, 'roll-back'),
        eq(rolloutDecisions.reason, 'regressed'),
        isNull(rolloutDecisions.byId),
        isNull(rolloutDecisions.refused),
        isNotNull(rollouts.split),
        gte(at, period.from),
        lt(at, period.to),
      ),
    )
    .orderBy(desc(at))
    .limit(ledger.rollbacks)
}

async function readOne(sources: Sources, one: RolledBack, now: Date): Promise<LedgerRollback> {
  const { row, flag, at, stage, metric } = one
  const windows = plannedWindows(planOf(row).stages, {
    stage,
    watched: standingOf(row).watched,
    at: at.getTime(),
  })
  const end = windows.at(-1)?.to ?? at.getTime()
  const until = new Date(Math.min(end, now.getTime()))
  const kind = kindOf(metric)
  return {
    ...{ rollout: row.id, flag, treatment: row.treatment, metric, kind },
    at: at.toISOString(),
    until: until.toISOString(),
    isFinal: now.getTime() >= end + ledger.complete,
    prevented: await readPrevented(sources, one, { kind, windows, until }),
  }
}

/** The kind of harm that the metric of a rollback counts; any for others, such as vitals. */
function kindOf(metric: string | null): HarmKind {
  switch (metric) {
    case 'users-with-an-error':
    case 'crashes':
    case 'errors-per-session':
      return 'error'
    case 'users-with-a-failed-request':
    case 'failed-requests-per-session':
      return 'failed-request'
    case 'blank-views':
      return 'blank-view'
    case 'users-with-a-server-error':
      return 'server-error'
    default:
      return 'any'
  }
}

interface Prevention {
  kind: HarmKind
  windows: readonly PlannedWindow[]
  until: Date
}

async function readPrevented(
  { db, telemetry }: Sources,
  { row, flag, at }: RolledBack,
  { kind, windows, until }: Prevention,
) {
  const split = await findSplitOf(db, row, flag)
  if (split === undefined || row.startedAt === null) return null
  const period = { environmentId: row.environmentId, from: row.startedAt, to: at }
  const [entry] = estimateHarm([split], await countLedgerUsers(telemetry, period, [split])).filter(
    ({ variation }) => variation === row.treatment,
  )
  const harm = entry === undefined || 'fault' in entry ? undefined : entry.harm[kind]
  if (entry === undefined || harm === undefined) return null
  return preventedHarm(
    { users: entry.users, harm },
    await countSpared(telemetry, row, { split, windows, until }),
  )
}

/** With the stages of this rollout alone. */
async function findSplitOf(db: Queryable, row: RolloutRow, flag: string): Promise<LedgerSplit | undefined> {
  const { split, firstEpoch, lastEpoch, control, treatment, by } = row
  if (split === null || firstEpoch === null || lastEpoch === null) return undefined
  const { splitId, epoch, arms } = splitEpochs
  const rows = await db
    .select({ epoch, arms })
    .from(splitEpochs)
    .where(and(eq(splitId, BigInt(split)), gte(epoch, firstEpoch), lte(epoch, lastEpoch)))
    .orderBy(asc(epoch))
  const compared = rows.map((one) => ({
    epoch: one.epoch,
    // Only arms are ever stored there.
    arms: (one.arms as { variation: string; weight: number }[]).filter(
      ({ variation }) => variation === control || variation === treatment,
    ),
  }))
  const epochs = comparableEpochs(compared, control)
  return epochs.length === 0 ? undefined : { split, flag, by, control, epochs }
}

/** Users who read the flag after the rollback, by what they had had before and what was planned for that time. */
async function countSpared(
  telemetry: Pick<Telemetry, 'read'>,
  { environmentId, treatment, firstEpoch, lastEpoch }: RolloutRow,
  { split, windows, until }: Omit<Prevention, 'kind'> & { split: LedgerSplit },
): Promise<SparedUsers[]> {
  const [first] = windows
  if (first === undefined || until.getTime() <= first.from) return []
  const planned = windows.map(({ to, share }) => `at_ < ${to}, ${share}`).join(', ')
  const shares = split.epochs.map((epoch) => {
    const [own, control] = [weightIn(epoch, treatment), weightIn(epoch, split.control)]
    return { epoch: epoch.epoch, share: own / (own + control) }
  })
  const before = `transform(epoch, [${shares.map(({ epoch }) => epoch).join(', ')}], [${shares.map(({ share }) => `toFloat64(${share})`).join(', ')}], 0.)`
  const inSplit = 'environment_id = {environmentId:UUID}'
  return telemetry.read<SparedUsers>(
    `SELECT before, planned, toFloat64(count()) AS users FROM (
      SELECT unit, max(toFloat64(multiIf(${planned}, 0.))) AS planned
      FROM (
        SELECT toUnixTimestamp64Milli(ts) AS at_, arrayJoin(arrayFilter(a -> a.1 = {split:UInt64}, arms)) AS a, a.4 AS unit
        FROM events
        WHERE ${inSplit} AND bot = 0 AND kind = 'exposure' AND ts >= fromUnixTimestamp64Milli({from:Int64}) AND ts < fromUnixTimestamp64Milli({to:Int64}))
      GROUP BY unit) AS after
    LEFT JOIN (
      SELECT unit, max(has(arms, {treatment:String})) AS had_it, max(${before}) AS before
      FROM exposures
      WHERE ${inSplit} AND split = {split:UInt64} AND epoch >= {first:UInt32} AND epoch <= {last:UInt32}
      GROUP BY unit) AS known USING (unit)
    WHERE had_it = 0
    GROUP BY before, planned`,
    {
      limit: ledger.readTimeout,
      threads: 1,
      values: {
        ...{ environmentId, treatment, split: split.split, first: firstEpoch, last: lastEpoch },
        ...{ from: first.from, to: until.getTime() },
      },
    },
  )
}
