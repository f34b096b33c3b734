import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { dashboards } from '../../platform/engines/postgres/dashboard-schema.ts'
import { dashboardChange } from './dashboard.ts'
import { type DashboardRef, lockDashboard } from './queries.ts'

export const deleteDashboard = change(async ({ db }, ref: DashboardRef) => {
  const before = await lockDashboard(db, ref)
  await db.delete(dashboards).where(eq(dashboards.id, before.id))
  return { reply: null, changes: [dashboardChange('delete', { project: ref.project, before })] }
})
