// Recording orders as this server applies them, in memory: read every few seconds. Without PostgreSQL the last known
// ones apply.

import type { RecordingRates } from '@telltale/core/recording/chance'
import type { PlannedOrder } from '@telltale/core/recording/plan-orders'
import { isNotNull } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { recordingPlans } from '../../platform/engines/postgres/recording-schema.ts'

/** Compared by identity: the same object as long as nothing changes. */
export interface AppliedPlan {
  /** Percent of sessions that match no order. */
  base: RecordingRates
  orders: readonly PlannedOrder[]
  /** Percent: no recording is taken above this rate. */
  peak: RecordingRates
}

export interface RecordingPlans {
  /** Undefined while all sessions have the rates of the environment. */
  of(environmentId: string): AppliedPlan | undefined
  refresh(): Promise<void>
}

export function createRecordingPlans({ db }: { db: Queryable }): RecordingPlans {
  let found = new Map<string, { text: string; plan: AppliedPlan }>()

  return {
    of: (environmentId) => found.get(environmentId)?.plan,
    async refresh() {
      const rows = await db
        .select({ id: recordingPlans.environmentId, plan: recordingPlans.plan, peak: recordingPlans.peak })
        .from(recordingPlans)
        .where(isNotNull(recordingPlans.plan))
      const next: typeof found = new Map()
      for (const { id, plan, peak } of rows) {
        if (plan === null) continue
        const { base, orders } = plan
        const applied: AppliedPlan = { base, orders, peak: peak ?? base }
        const text = JSON.stringify(applied)
        const before = found.get(id)
        next.set(id, before?.text === text ? before : { text, plan: applied })
      }
      found = next
    },
  }
}
