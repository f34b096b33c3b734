import type { EnvironmentDraft as CreateBody } from '@telltale/core/contract/environments'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'
import { auditedEnvironment, toEnvironment } from './environment.ts'
import { insertFirstConfigs } from './first-config.ts'
import { insertKey } from './insert-key.ts'
import { countEnvironments, type EnvironmentRow, findEnvironment, findLastPosition } from './queries.ts'
import { defaultSettings, mergeSettings } from './settings.ts'

export interface EnvironmentDraft extends Static<typeof CreateBody> {
  managed?: boolean
  /** Without the default client key, if the caller creates the keys. */
  withoutKeys?: boolean
}

interface ProjectRef {
  id: string
  key: string
}

export const createEnvironment = change(
  async (context, { project, draft }: { project: ProjectRef; draft: EnvironmentDraft }) => {
    const { row, changes } = await insertEnvironment(context, project, draft)
    return { reply: toEnvironment(row), changes }
  },
)

/** Inserts an environment with its first client key. Throws `already-exists`, `in-use`, `invalid-request`. */
export async function insertEnvironment(
  context: ChangeContext,
  project: ProjectRef,
  draft: EnvironmentDraft,
): Promise<{ row: EnvironmentRow; changes: EntityChange[] }> {
  await refuseTooMany(context, project, draft)
  const { db, now } = context
  const lastPosition = await findLastPosition(db, project.id)
  const defaults = defaultSettings({
    name: draft.name,
    position: lastPosition === undefined ? 0 : lastPosition + 1,
  })

  const [row] = await db
    .insert(environments)
    .values({
      id: newId(),
      projectId: project.id,
      key: draft.key,
      ...mergeSettings(defaults, draft, now),
      createdAt: now,
      managed: draft.managed ?? false,
    })
    .returning()
  if (!row) throw problem('internal')
  const all = await db.select().from(flags).where(eq(flags.projectId, project.id))
  await insertFirstConfigs(context, { flags: all, environments: [row] })

  const created: EntityChange = {
    action: 'environment.create',
    entity: { kind: 'environment', id: row.id, name: row.key },
    project,
    environment: row,
    after: auditedEnvironment(row),
  }
  if (draft.withoutKeys) return { row, changes: [created] }

  const key = await insertKey(context, { project, environment: row }, { kind: 'client', label: 'Default' })
  return { row, changes: [created, ...key.changes] }
}

/** Locks the project, so that the counts stay valid until the transaction ends. */
async function refuseTooMany({ db }: ChangeContext, project: ProjectRef, { key }: EnvironmentDraft) {
  if (!(await lockProject(db, project.id))) throw problem('not-found')
  if (await findEnvironment(db, { projectId: project.id, key })) {
    throw problem('already-exists', `The environment "${key}" already exists in the project.`)
  }
  if ((await countEnvironments(db, project.id)) >= limits.environmentsPerProject) {
    throw problem('in-use', `A project has at most ${limits.environmentsPerProject} environments.`)
  }
}
