import type { Grant } from '@telltale/core/rights'
import { lockProject } from '../../access/find-project.ts'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { checkMayChange } from '../../release/flags/config-ref.ts'
import { getHoldout, type PlacedHoldout } from './queries.ts'

export interface HoldoutOf {
  project: { id: string; key: string }
  grant: Grant
  key: string
}

/** With the project locked. Throws `not-found`, and `forbidden` in a protected environment. */
export async function openHoldout(
  { db }: Pick<ChangeContext, 'db'>,
  { project, grant, key }: HoldoutOf,
): Promise<PlacedHoldout & { place: EnvironmentRow }> {
  await lockProject(db, project.id)
  const placed = await getHoldout(db, project.id, key)
  const environment = await getEnvironment(db, { projectId: project.id, key: placed.environment.key })
  checkMayChange(environment, grant)
  return { ...placed, place: environment }
}
