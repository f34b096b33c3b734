import type { Telltale } from '@telltale/core/contract/telltales'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'
import { weightOf } from '../rollouts/carry-out.ts'
import { type RolloutRow, standingOf } from '../rollouts/queries.ts'
import { type MetricsByKey, metricsByKey, summarizeTelltale } from '../rollouts/summarize-telltale.ts'

interface Placed {
  row: RolloutRow
  env: string
  flag: string
}

/** For each flag and environment, the running rollout, or the one that started last. */
export async function listTelltales(
  db: Queryable,
  projectId: string,
  env: string | undefined,
): Promise<Telltale[]> {
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

function toTelltale({ row, env, flag }: Placed, metrics: MetricsByKey): Telltale {
  const { state, draft, seen } = row
  const { reason, stage } = standingOf(row)
  return {
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
