import type { ReplyOf } from '@telltale/core/contract/call'
import type { getStorage } from '@telltale/core/contract/retention'
import { limits } from '@telltale/core/limits'
import type { ProjectRow } from '../../access/find-project.ts'
import { findEnvironments } from '../../organisation/environments/queries.ts'
import type { StoreDisk } from '../../platform/engines/clickhouse/read-files.ts'
import type { Services } from '../../platform/services.ts'
import { measureStorage, sumByKind, sumBytes } from './measure-storage.ts'

export async function showStorage(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  project: ProjectRow,
): Promise<ReplyOf<typeof getStorage>> {
  const environments = await findEnvironments(db, project.id)
  const uses = await measureStorage(
    telemetry,
    environments.map(({ id }) => id),
  )
  // An external store may not allow this query.
  const disks = await telemetry.disks().catch(() => [])
  const usedBytes = Math.round(sumBytes(uses))
  const { telemetryBudget: budgetBytes } = project
  return {
    budgetBytes,
    usedBytes,
    overBudget: budgetBytes !== null && usedBytes > budgetBytes,
    keptBytes: Math.round(sumBytes(uses.filter(({ isKept }) => isKept))),
    environments: environments.map(({ id, key }) => {
      const kinds = sumByKind(uses.filter(({ environmentId }) => environmentId === id))
      return { id, key, bytes: sumBytes(kinds), kinds }
    }),
    disk: fullest(disks),
    measuredAt: clock().toISOString(),
  }
}

/** Of several disks, the one that is full first. */
function fullest(disks: readonly StoreDisk[]): ReplyOf<typeof getStorage>['disk'] {
  const [first] = [...disks].sort(
    (one, other) => one.freeBytes / one.totalBytes - other.freeBytes / other.totalBytes,
  )
  return first ? { ...first, nearlyFull: first.freeBytes * limits.diskNearlyFull < first.totalBytes } : null
}
