import {
  type Dashboard,
  type DashboardDraft,
  type DashboardFile,
  type DashboardSummary,
  dashboardFileVersion,
} from '@telltale/core/contract/dashboards'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { DashboardRow } from './queries.ts'

const aboutOf = ({ id, ownerId, ownerName, version, createdAt, updatedAt }: DashboardRow) => ({
  id,
  owner: { id: ownerId, name: ownerName },
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const draftOf = ({ name, description, tiles, defaults }: DashboardRow): DashboardDraft => ({
  name,
  description,
  tiles,
  defaults,
})

export const toDashboard = (row: DashboardRow): Dashboard => ({ ...aboutOf(row), ...draftOf(row) })

export const toSummary = (row: DashboardRow): DashboardSummary => ({
  ...aboutOf(row),
  name: row.name,
  description: row.description,
  tiles: row.tiles.length,
})

export const toFile = (row: DashboardRow): DashboardFile => ({
  kind: 'telltale-dashboard',
  schema: dashboardFileVersion,
  ...draftOf(row),
})

interface DashboardChange {
  project: { id: string; key: string }
  before?: DashboardRow
  after?: DashboardRow
}

/** A change of a dashboard for the audit log. */
export function dashboardChange(
  verb: 'create' | 'update' | 'delete',
  { project, before, after }: DashboardChange,
): EntityChange {
  const row = after ?? before
  if (row === undefined) throw new Error('A change of a dashboard is about one.')
  return {
    action: `dashboard.${verb}`,
    entity: { kind: 'dashboard', id: row.id, name: row.name },
    project,
    ...(before && { before: draftOf(before) }),
    ...(after && { after: draftOf(after) }),
  }
}
