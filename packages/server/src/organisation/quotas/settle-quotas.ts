// Compares every quota with what is used of it, begins and ends reductions, and reports 80% and 100%, each once in a
// period.

import { decideQuota, periodStart, quotaLevels, type Reduction } from '@telltale/core/usage/decide-quota'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { quotas, usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import { findUsedQuotas, type UsedQuota } from './queries.ts'
import { quotaText, quotaTitle } from './quota-text.ts'

export async function settleQuotas({ db, now }: Pick<ChangeContext, 'db' | 'now'>): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const found of await findUsedQuotas(db, now)) {
    const decision = decideQuota(found.quota.meter, { used: found.used, most: found.quota.most })
    await applyReduction({ db, now }, found, decision)
    const period = periodStart(found.quota.period, now)
    const told = found.quota.toldPeriod === period ? found.quota.toldLevel : 'ok'
    if (decision.level === told) continue
    await db
      .update(quotas)
      .set({ toldLevel: decision.level, toldPeriod: period })
      .where(eq(quotas.id, found.quota.id))
    if (quotaLevels.indexOf(decision.level) > quotaLevels.indexOf(told)) {
      changes.push(toChange(found, decision.level === 'over' ? 'quota.exceed' : 'quota.approach'))
    }
  }
  return changes
}

async function applyReduction(
  { db, now }: Pick<ChangeContext, 'db' | 'now'>,
  { quota }: UsedQuota,
  { pausesRecording, share }: Reduction,
): Promise<void> {
  const isOpen = and(eq(usageSamplings.quotaId, quota.id), isNull(usageSamplings.endedAt))
  const [open] = await db.select().from(usageSamplings).where(isOpen)
  const isReduced = pausesRecording || share < 1
  if (open === undefined && !isReduced) return
  // Stored with less precision.
  const isSame =
    open?.pausesRecording === pausesRecording && Math.abs((open?.share ?? 0) - share) < 1e-6 && isReduced
  if (isSame) return
  if (open !== undefined) await db.update(usageSamplings).set({ endedAt: now }).where(isOpen)
  if (!isReduced) return
  await db.insert(usageSamplings).values({
    id: newId(),
    projectId: quota.projectId,
    keyId: quota.keyId,
    quotaId: quota.id,
    reason: 'quota',
    share,
    pausesRecording,
    beganAt: now,
    markedAt: now,
    markedEvents: 0,
  })
}

function toChange(found: UsedQuota, action: 'quota.exceed' | 'quota.approach'): EntityChange {
  const { quota, project, used } = found
  return {
    action,
    entity: { kind: 'quota', id: quota.id, name: quotaTitle(found) },
    project,
    after: { used, most: quota.most },
    news: {
      summary: quotaText(found, action === 'quota.exceed'),
      data: { meter: quota.meter, period: quota.period, most: quota.most, used },
    },
  }
}
