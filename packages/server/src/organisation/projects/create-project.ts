import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { findProject, type ProjectRow } from '../../access/find-project.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import { type EnvironmentDraft, insertEnvironment } from '../environments/create-environment.ts'
import { auditedProject, toProject } from './project.ts'
import { countProjects } from './queries.ts'

/** The environments of a new project. Their colours avoid those of warnings and errors. */
const startingEnvironments: readonly EnvironmentDraft[] = [
  { key: 'production', name: 'Production', colour: 'blue', position: 0, protected: true },
  { key: 'staging', name: 'Staging', colour: 'violet', position: 1 },
  { key: 'development', name: 'Development', colour: 'grey', position: 2 },
]

interface ProjectDraft {
  key: string
  name: string
  traceLink?: string | undefined
}

export const createProject = change(async (context, draft: ProjectDraft) => {
  const { row, changes } = await addProject(context, draft)
  return { reply: toProject(row, 'admin'), changes }
})

/** Inserts the project with its default environments. */
export async function addProject(context: ChangeContext, draft: ProjectDraft) {
  const { row, changes } = await insertProject(context, draft)
  for (const environment of startingEnvironments) {
    changes.push(...(await insertEnvironment(context, row, environment)).changes)
  }
  return { row, changes }
}

/** Inserts only the project. Throws `already-exists`. */
export async function insertProject(
  { db, now }: ChangeContext,
  draft: ProjectDraft & { managed?: boolean; own?: boolean },
): Promise<{ row: ProjectRow; changes: EntityChange[] }> {
  if (await findProject(db, draft.key)) throw problem('already-exists', `The project "${draft.key}" exists.`)
  if ((await countProjects(db)) >= limits.projects) {
    throw problem('in-use', `An installation has at most ${limits.projects} projects.`)
  }

  const [row] = await db
    .insert(projects)
    .values({
      id: newId(),
      key: draft.key,
      name: draft.name,
      traceLink: draft.traceLink ?? null,
      createdAt: now,
      managed: draft.managed ?? false,
      own: draft.own ?? false,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) throw problem('already-exists', `The project "${draft.key}" exists.`)

  return {
    row,
    changes: [
      {
        action: 'project.create',
        entity: { kind: 'project', id: row.id, name: row.key },
        project: row,
        after: auditedProject(row),
      },
    ],
  }
}
