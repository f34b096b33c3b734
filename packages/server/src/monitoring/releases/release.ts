import type { ReplyOf } from '@telltale/core/contract/call'
import type { listReleases } from '@telltale/core/contract/releases'
import { countSourceMaps } from '../../intake/source-maps/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { countIssuesOfVersions } from '../issues/queries.ts'
import type { ReleaseRow } from './queries.ts'

export type Release = ReplyOf<typeof listReleases>['items'][number]

interface Surroundings {
  projectId: string
  environmentId: string
  /** Sessions of the period that report a version. */
  all: number
}

/** With their issues and source maps from the control plane. */
export async function toReleases(
  db: Queryable,
  rows: readonly ReleaseRow[],
  { projectId, environmentId, all }: Surroundings,
): Promise<Release[]> {
  if (rows.length === 0) return []
  const versions = rows.map(({ version }) => version)
  const issues = await countIssuesOfVersions(db, environmentId, versions)
  const maps = await countSourceMaps(db, projectId, versions)
  return rows.map((row) => ({
    ...measuredOf(row, all),
    ...(issues.get(row.version) ?? { newIssues: 0, regressedIssues: 0 }),
    sourceMaps: maps.get(row.version) ?? 0,
  }))
}

function measuredOf(row: ReleaseRow, all: number) {
  const { version, sessions, crashed_sessions: crashed } = row
  const users = Number(row.users)
  return {
    version,
    firstSeenAt: new Date(Number(row.first)).toISOString(),
    lastSeenAt: new Date(Number(row.last)).toISOString(),
    sessions,
    users,
    crashFreeSessions: sessions === 0 ? null : 1 - crashed / sessions,
    crashFreeUsers: users === 0 ? null : 1 - Number(row.crashed_users) / users,
    adoption: all === 0 ? null : Math.min(1, sessions / all),
  }
}
