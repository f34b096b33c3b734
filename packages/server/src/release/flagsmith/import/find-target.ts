// The target of an import: where its key is already known; else the given project and environment, or those
// named in the document. Missing ones are created.

import type { FlagsmithDocument } from '@telltale/core/contract/flagsmith'
import { problem } from '@telltale/core/errors'
import { slugOf } from '@telltale/core/evaluation/flagsmith/name-keys'
import { limits } from '@telltale/core/limits'
import type { ProjectPermission } from '@telltale/core/permissions'
import { mayEverywhere } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { grantIn, isOwner } from '../../../access/access.ts'
import type { KnownCaller } from '../../../access/caller.ts'
import { findProject, type ProjectRow } from '../../../access/find-project.ts'
import { insertEnvironment } from '../../../organisation/environments/create-environment.ts'
import { insertKey } from '../../../organisation/environments/insert-key.ts'
import { type EnvironmentRow, findEnvironment } from '../../../organisation/environments/queries.ts'
import { insertProject } from '../../../organisation/projects/create-project.ts'
import type { ChangeContext, EntityChange } from '../../../platform/engines/postgres/change.ts'
import { environments, projects, sdkKeys } from '../../../platform/engines/postgres/schema.ts'
import { hashSecret } from '../../../platform/http/secret.ts'

export interface Target {
  project: ProjectRow
  environment: EnvironmentRow
  changes: EntityChange[]
}

interface Wanted {
  document: FlagsmithDocument
  project: string | undefined
  env: string | undefined
  caller: KnownCaller
}

/** Throws `forbidden`, `not-found`, `already-exists` and `in-use`. */
export async function findTarget(context: ChangeContext, wanted: Wanted): Promise<Target> {
  const { document, caller } = wanted
  const known = await findByKey(context, document.api_key)
  if (known !== undefined) {
    await checkCaller(context, caller, known.project)
    const isElsewhere =
      (wanted.project ?? known.project.key) !== known.project.key ||
      (wanted.env ?? known.environment.key) !== known.environment.key
    if (!isElsewhere) return { ...known, changes: [] }
    const where = `"${known.environment.key}" of the project "${known.project.key}"`
    throw problem('already-exists', `The key of the document belongs to the environment ${where}.`)
  }
  const { project, changes } = await findOrMakeProject(context, wanted)
  const { environment, changes: made } = await findOrMakeEnvironment(context, project, wanted)
  const place = { project, environment }
  const draft = { kind: 'client' as const, label: 'Flagsmith', value: document.api_key }
  const key = await insertKey(context, place, draft)
  return { project, environment, changes: [...changes, ...made, ...key.changes] }
}

async function findByKey(
  { db }: ChangeContext,
  apiKey: string,
): Promise<Omit<Target, 'changes'> | undefined> {
  const [row] = await db
    .select({ project: projects, environment: environments })
    .from(sdkKeys)
    .innerJoin(environments, eq(environments.id, sdkKeys.environmentId))
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(sdkKeys.hash, hashSecret(apiKey)))
  return row
}

async function findOrMakeProject(
  context: ChangeContext,
  { document, project: wanted, caller }: Wanted,
): Promise<Pick<Target, 'project' | 'changes'>> {
  const name = document.project.name || 'Flagsmith'
  const key = wanted ?? (slugOf(name) || 'flagsmith')
  const found = await findProject(context.db, key)
  if (found !== undefined) {
    await checkCaller(context, caller, found)
    return { project: found, changes: [] }
  }
  if (!isOwner(caller)) {
    const detail = `There is no project "${key}", or you do not have access; creating it requires projects.create.`
    throw problem('forbidden', { detail, permission: 'projects.create' })
  }
  const { row, changes } = await insertProject(context, { key, name: name.slice(0, limits.nameLength) })
  return { project: row, changes }
}

async function findOrMakeEnvironment(
  context: ChangeContext,
  project: ProjectRow,
  { document, env: wanted }: Wanted,
): Promise<Pick<Target, 'environment' | 'changes'>> {
  const name = document.name || 'Production'
  const key = wanted ?? (slugOf(name) || 'production')
  const found = await findEnvironment(context.db, { projectId: project.id, key })
  if (found === undefined) {
    const draft = { key, name: name.slice(0, limits.nameLength), withoutKeys: true }
    const { row, changes } = await insertEnvironment(context, project, draft)
    return { environment: row, changes }
  }
  if (found.flagsmith !== null) {
    throw problem('already-exists', `The environment "${key}" was imported from Flagsmith under another key.`)
  }
  return { environment: found, changes: [] }
}

/** Flags and segments belong to every environment, so these are needed in each one. */
const needed: readonly ProjectPermission[] = [
  'project.manage',
  'environments.manage',
  'keys.manage',
  'flags.change',
  'flags.change-protected',
]

/** An import changes environments, keys, flags and segments. The project is not revealed to callers without access. */
async function checkCaller({ db }: ChangeContext, caller: KnownCaller, project: ProjectRow): Promise<void> {
  const grant = await grantIn(db, caller, project)
  if (grant.kind === 'none')
    throw problem('not-found', 'The project does not exist, or you do not have access.')
  const permission = needed.find((one) => !mayEverywhere(grant, one))
  if (permission === undefined) return
  const detail = `This needs ${permission} in the project and in each of its environments.`
  throw problem('forbidden', { detail, permission })
}
