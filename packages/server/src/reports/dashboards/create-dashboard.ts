import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { dashboards } from '../../platform/engines/postgres/dashboard-schema.ts'
import { checkDraft } from './check-tiles.ts'
import { dashboardChange, toDashboard } from './dashboard.ts'
import { countDashboards } from './queries.ts'

interface NewDashboard {
  project: { id: string; key: string }
  owner: { id: string; name: string }
  draft: DashboardDraft
}

export const createDashboard = change(async ({ db, now }, { project, owner, draft }: NewDashboard) => {
  checkDraft(draft)
  await lockProject(db, project.id)
  if ((await countDashboards(db, project.id)) >= limits.dashboardsPerProject) {
    throw problem('in-use', `A project has at most ${limits.dashboardsPerProject} dashboards.`)
  }
  const { name, description, tiles, defaults } = draft
  const row = {
    id: newId(),
    projectId: project.id,
    name,
    description,
    tiles,
    defaults,
    ownerId: owner.id,
    ownerName: owner.name,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await db.insert(dashboards).values(row)
  return { reply: toDashboard(row), changes: [dashboardChange('create', { project, after: row })] }
})
