import type { Grant } from '@telltale/core/rights'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { checkMayChange, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { lockExperiment } from './queries.ts'

export interface ExperimentOf {
  project: { id: string; key: string }
  grant: Grant
  id: string
}

/** Locked, and its place. Throws `not-found`, and `forbidden` in a protected environment. */
export async function openExperiment(
  { db }: Pick<ChangeContext, 'db'>,
  { project, grant, id }: ExperimentOf,
) {
  const placed = await lockExperiment(db, { projectId: project.id, id })
  const { environment, flag } = await resolveConfigRef(db, {
    project,
    env: placed.environment.key,
    flag: placed.flag.key,
  })
  checkMayChange(environment, grant)
  return { placed, environment, flag }
}
