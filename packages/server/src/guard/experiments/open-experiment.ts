import type { ProjectRole } from '@telltale/core/permissions'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { refuseProtected, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { lockExperiment } from './queries.ts'

export interface ExperimentOf {
  project: { id: string; key: string }
  role: ProjectRole
  id: string
}

/** Locked, and its place. Throws `not-found`, and `forbidden` in a protected environment. */
export async function openExperiment({ db }: Pick<ChangeContext, 'db'>, { project, role, id }: ExperimentOf) {
  const placed = await lockExperiment(db, { projectId: project.id, id })
  const { environment, flag } = await resolveConfigRef(db, {
    project,
    env: placed.environment.key,
    flag: placed.flag.key,
  })
  refuseProtected(environment, role)
  return { placed, environment, flag }
}
