import type { DigestChange } from '@telltale/core/contract/digests'
import type { Finding } from '@telltale/core/guard/judge-metric'
import { and, eq, gte, or } from 'drizzle-orm'
import { type MetricsByKey, metricsByKey } from '../../guard/rollouts/summarize-telltale.ts'
import { findJudged } from '../../guard/verdicts/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'

interface EffectsOf {
  projectId: string
  env: string
  /** Rollouts that ended earlier are left out. */
  from: Date
}

export const isWorse = ({ lower }: DigestChange) => lower !== null && lower > 0
export const isBetter = ({ upper }: DigestChange) => upper !== null && upper < 0

/** Intervals of the latest looks that exclude zero, guarded and unguarded: no new measurement. */
export async function listFlagEffects(
  db: Queryable,
  { projectId, env, from }: EffectsOf,
): Promise<DigestChange[]> {
  const metrics = await metricsByKey(db, projectId)
  const guarded = await db
    .select({ row: rollouts, flag: flags.key })
    .from(rollouts)
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .innerJoin(environments, eq(environments.id, rollouts.environmentId))
    .where(
      and(
        eq(rollouts.projectId, projectId),
        eq(environments.key, env),
        or(eq(rollouts.state, 'running'), gte(rollouts.updatedAt, from)),
      ),
    )
  const ofRollouts = guarded.flatMap(({ row, flag }) =>
    (row.seen?.findings ?? []).flatMap((finding) =>
      toChange(finding, metrics, { flag, treatment: row.treatment, control: row.control }),
    ),
  )
  const ofSplits = (await findJudged(db, projectId, env)).flatMap(({ split, row }) =>
    (row.seen?.pairs ?? []).flatMap(({ findings, treatment, control }) =>
      findings.flatMap((finding) => toChange(finding, metrics, { flag: split.flag, treatment, control })),
    ),
  )
  return [...ofRollouts, ...ofSplits].filter((one) => isWorse(one) || isBetter(one))
}

interface Arms {
  flag: string
  treatment: string
  control: string
}

function toChange(
  { metric, harm }: Finding,
  metrics: MetricsByKey,
  { flag, treatment, control }: Arms,
): DigestChange[] {
  if (harm === undefined) return []
  const finite = (bound: number) => (Number.isFinite(bound) ? bound : null)
  return [
    {
      of: 'flag',
      name: flag,
      variation: treatment,
      against: control,
      metric: metrics.get(metric)?.definition.name ?? metric,
      scale: 'relative',
      lower: finite(harm.lower),
      upper: finite(harm.upper),
    },
  ]
}
