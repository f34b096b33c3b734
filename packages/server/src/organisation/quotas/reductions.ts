// What the intake keeps less of now, in memory: the open rows of quotas and spikes, read every few seconds. Without
// PostgreSQL the last known ones apply.

import { type Reduction, strictest } from '@telltale/core/usage/decide-quota'
import { isNull } from 'drizzle-orm'
import { usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import type { Services } from '../../platform/services.ts'
import type { MeteredEnvironment } from '../usage/count-usage.ts'

export interface AppliedReduction extends Reduction {
  /** Why the share is what it is. */
  reason: 'quota' | 'spike'
}

export interface Reductions {
  /** Undefined while everything is stored. */
  of(environment: MeteredEnvironment): AppliedReduction | undefined
  refresh(): Promise<void>
}

type Row = typeof usageSamplings.$inferSelect

export function createReductions({ db }: Pick<Services, 'db'>): Reductions {
  let byProject = new Map<string, Row[]>()

  return {
    of({ id, projectId, keyId }) {
      const rows = byProject.get(projectId)
      if (rows === undefined) return undefined
      const own = rows.filter(
        (row) =>
          (row.environmentId === null || row.environmentId === id) &&
          (row.keyId === null || row.keyId === keyId),
      )
      if (own.length === 0) return undefined
      const reduction = strictest(own)
      const reason = own.find(({ share }) => share === reduction.share)?.reason ?? 'quota'
      return { ...reduction, reason }
    },
    async refresh() {
      const rows = await db.select().from(usageSamplings).where(isNull(usageSamplings.endedAt))
      const found = new Map<string, Row[]>()
      for (const row of rows) found.set(row.projectId, [...(found.get(row.projectId) ?? []), row])
      byProject = found
    },
  }
}
