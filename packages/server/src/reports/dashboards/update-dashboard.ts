import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { dashboards } from '../../platform/engines/postgres/dashboard-schema.ts'
import { checkDraft } from './check-tiles.ts'
import { dashboardChange, toDashboard } from './dashboard.ts'
import { type DashboardRef, lockDashboard } from './queries.ts'

interface DashboardUpdate extends DashboardRef {
  draft: DashboardDraft
  ifMatch: number | undefined
}

export const updateDashboard = change(async ({ db, now }, { draft, ifMatch, ...ref }: DashboardUpdate) => {
  checkDraft(draft)
  const before = await lockDashboard(db, ref)
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toDashboard(before) })
  }
  const { name, description, tiles, defaults } = draft
  const row = { ...before, name, description, tiles, defaults, version: before.version + 1, updatedAt: now }
  await db.update(dashboards).set(row).where(eq(dashboards.id, row.id))
  return {
    reply: toDashboard(row),
    changes: [dashboardChange('update', { project: ref.project, before, after: row })],
  }
})
