import type { GuardedTelltale, Telltale } from '@telltale/core/contract/telltales'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'
import { weightOf } from '../rollouts/carry-out.ts'
import { type RolloutRow, standingOf } from '../rollouts/queries.ts'
import { type MetricsByKey, metricsByKey, summarizeTelltale } from '../rollouts/summarize-telltale.ts'
import { listUnguarded } from '../verdicts/list-unguarded.ts'

interface Placed {
  row: RolloutRow
  env: string
  flag: string
}

/** Of the rollout of each flag and environment, and of splits without a guard. */
export async function listTelltales(
  db: Queryable,
  projectId: string,
  env: string | undefined,
): Promise<Telltale[]> {
  const guarded = await listGuarded(db, projectId, env)
  const unguarded = await listUnguarded(db, projectId, env)
  // A split that changed since the end of a rollout is what users get now.
  const isPast = ({ env: at, flag, endedAt }: GuardedTelltale) =>
    endedAt !== null &&
    unguarded.some((one) => one.env === at && one.flag === flag && one.startedAt > endedAt)
  return [...guarded.filter((one) => !isPast(one)), ...unguarded]
}

/** For each flag and environment, the running rollout, or the one that started last. */
async function listGuarded(
  db: Queryable,
  projectId: string,
  env: string | undefined,
): Promise<GuardedTelltale[]> {
  const found = await db
    .selectDistinctOn([rollouts.flagId, rollouts.environmentId], {
      row: rollouts,
      env: environments.key,
      flag: flags.key,
    })
    .from(rollouts)
    .innerJoin(environments, eq(environments.id, rollouts.environmentId))
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(
      and(
        eq(rollouts.projectId, projectId),
        sql`${rollouts.startedAt} IS NOT NULL`,
        sql`${flags.archivedAt} IS NULL`,
        env === undefined ? undefined : eq(environments.key, env),
      ),
    )
    .orderBy(
      rollouts.flagId,
      rollouts.environmentId,
      desc(sql`${rollouts.overlay} IS NOT NULL`),
      desc(rollouts.startedAt),
    )
  if (found.length === 0) return []
  const metrics = await metricsByKey(db, projectId)
  // A cancelled rollout needs no reminder.
  return found.filter(({ row }) => row.state !== 'cancelled').map((one) => toTelltale(one, metrics))
}

function toTelltale({ row, env, flag }: Placed, metrics: MetricsByKey): GuardedTelltale {
  const { state, draft, seen } = row
  const { reason, stage } = standingOf(row)
  return {
    kind: 'guarded',
    env,
    flag,
    rollout: row.id,
    state,
    why: reason ?? null,
    control: row.control,
    treatment: row.treatment,
    stage,
    stages: draft.stages.length,
    weight: state === 'completed' ? (draft.stages.at(-1)?.weight ?? 0) : weightOf(row),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    checkedAt: seen?.at ?? null,
    ...summarizeTelltale(row, metrics),
  }
}
