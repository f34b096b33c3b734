import { periodStart } from '@telltale/core/usage/decide-quota'
import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { quotas, usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import { environments, projects, sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { usageDays } from '../../platform/engines/postgres/usage-schema.ts'

export type QuotaRow = typeof quotas.$inferSelect
type SamplingRow = typeof usageSamplings.$inferSelect

export interface UsedQuota {
  quota: QuotaRow
  project: { id: string; key: string }
  /** Undefined: the whole project. */
  key: { label: string; prefix: string } | undefined
  /** In the current period. */
  used: number
}

/** Of one project, or of all. */
export async function findUsedQuotas(db: Queryable, now: Date, projectId?: string): Promise<UsedQuota[]> {
  const rows = await db
    .select({
      quota: quotas,
      project: { id: projects.id, key: projects.key },
      label: sdkKeys.label,
      prefix: sdkKeys.prefix,
      used: sql<number>`coalesce((
        SELECT sum(${usageDays.count}) FROM ${usageDays}
        WHERE ${usageDays.projectId} = ${quotas.projectId} AND ${usageDays.kind} = ${quotas.meter}
          AND ${usageDays.day} >= CASE ${quotas.period} WHEN 'day' THEN ${periodStart('day', now)}::date
            ELSE ${periodStart('month', now)}::date END
          AND (${quotas.keyId} IS NULL OR ${usageDays.keyId} = ${quotas.keyId})
      ), 0)::float8`,
    })
    .from(quotas)
    .innerJoin(projects, eq(projects.id, quotas.projectId))
    .leftJoin(sdkKeys, eq(sdkKeys.id, quotas.keyId))
    .where(projectId === undefined ? undefined : eq(quotas.projectId, projectId))
    .orderBy(asc(quotas.id))
  return rows.map(({ quota, project, label, prefix, used }) => ({
    quota,
    project,
    key: label === null || prefix === null ? undefined : { label, prefix },
    used,
  }))
}

export interface PlacedSampling {
  row: SamplingRow
  environment: string | null
}

/** The newest first; of an environment also those of its project and its keys. */
export async function findSamplings(
  db: Queryable,
  wanted: { projectId: string; environmentId?: string; from?: Date; to?: Date; count: number },
): Promise<PlacedSampling[]> {
  const { projectId, environmentId, from, to, count } = wanted
  const concerns =
    environmentId === undefined
      ? undefined
      : or(
          eq(usageSamplings.environmentId, environmentId),
          and(
            isNull(usageSamplings.environmentId),
            or(
              isNull(usageSamplings.keyId),
              inArray(
                usageSamplings.keyId,
                db.select({ id: sdkKeys.id }).from(sdkKeys).where(eq(sdkKeys.environmentId, environmentId)),
              ),
            ),
          ),
        )
  return db
    .select({ row: usageSamplings, environment: environments.key })
    .from(usageSamplings)
    .leftJoin(environments, eq(environments.id, usageSamplings.environmentId))
    .where(
      and(
        eq(usageSamplings.projectId, projectId),
        concerns,
        to && lt(usageSamplings.beganAt, to),
        from && or(isNull(usageSamplings.endedAt), gt(usageSamplings.endedAt, from)),
      ),
    )
    .orderBy(desc(usageSamplings.beganAt), desc(usageSamplings.id))
    .limit(count)
}
