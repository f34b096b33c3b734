import type { ReplyOf } from '@telltale/core/contract/call'
import type { listQuotas, Sampling } from '@telltale/core/contract/quotas'
import { limits } from '@telltale/core/limits'
import { decideQuota } from '@telltale/core/usage/decide-quota'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findEnvironments } from '../environments/queries.ts'
import { findSamplings, findUsedQuotas, type PlacedSampling } from './queries.ts'

export async function showQuotas(
  db: Queryable,
  projectId: string,
  now: Date,
): Promise<ReplyOf<typeof listQuotas>> {
  const found = await findUsedQuotas(db, now, projectId)
  const samplings = await findSamplings(db, { projectId, count: limits.samplingsShown })
  const environments = await findEnvironments(db, projectId)
  return {
    items: found.map(({ quota: { id, meter, period, most, keyId }, key, used }) => ({
      id,
      meter,
      period,
      most,
      key: keyId === null ? null : { id: keyId, label: key?.label || key?.prefix || '' },
      used,
      ...decideQuota(meter, { used, most }),
    })),
    samplings: samplings.map(toSampling),
    spikeProtection: environments.map(({ key, spikeProtection }) => ({ env: key, enabled: spikeProtection })),
  }
}

export function toSampling({ row, environment }: PlacedSampling): Sampling {
  return {
    id: row.id,
    reason: row.reason,
    environment,
    key: row.keyId,
    pausesRecording: row.pausesRecording,
    share: Math.round(row.share * 10_000) / 10_000,
    beganAt: row.beganAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
