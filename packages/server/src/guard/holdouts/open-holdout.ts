import type { ProjectRole } from '@telltale/core/permissions'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { refuseProtected } from '../../release/flags/config-ref.ts'
import { getHoldout, type PlacedHoldout } from './queries.ts'

export interface HoldoutOf {
  project: { id: string; key: string }
  role: ProjectRole
  key: string
}

/** With the project locked. Throws `not-found`, and `forbidden` in a protected environment. */
export async function openHoldout(
  { db }: Pick<ChangeContext, 'db'>,
  { project, role, key }: HoldoutOf,
): Promise<PlacedHoldout> {
  await lockProject(db, project.id)
  const placed = await getHoldout(db, project.id, key)
  const environment = await getEnvironment(db, { projectId: project.id, key: placed.environment.key })
  refuseProtected(environment, role)
  return placed
}
