import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { hashSecret } from '../../platform/http/secret.ts'
import { insertEnvironment } from '../environments/create-environment.ts'
import { auditedEnvironment } from '../environments/environment.ts'
import { type EnvironmentRow, findEnvironment, lockEnvironment } from '../environments/queries.ts'
import { mergeSettings } from '../environments/settings.ts'
import type { EnvironmentDeclaration } from './declarations.ts'
import { provisionKey } from './provision-key.ts'
import { attempt, type Provisioning } from './provisioning.ts'
import { findRefusal } from './refusal.ts'

interface ProjectRef {
  id: string
  key: string
}

export async function provisionEnvironment(
  run: Provisioning,
  { project, isNew }: { project: ProjectRef; isNew: boolean },
  declared: EnvironmentDeclaration,
): Promise<void> {
  const { key, manage, keys = [] } = declared
  const found = await findEnvironment(run.db, { projectId: project.id, key })
  const isDue = run.memory.isDue(`environment ${project.key}/${key}`, {
    exists: found !== undefined,
    manage,
    isPartOfNew: isNew,
  })
  const row = isDue ? await create(run, project, declared) : found
  if (!row) return

  if (manage) run.managed.add(row.id)
  if (manage && found) await enforce(run, project, declared)
  const givenHashes = new Set(keys.flatMap(({ value }) => (value === undefined ? [] : [hashSecret(value)])))
  for (const each of keys) {
    await provisionKey(run, { project, environment: row, isNew: isDue, givenHashes }, each)
  }
}

async function create(
  run: Provisioning,
  project: ProjectRef,
  { pointer, key, settings, manage, keys }: EnvironmentDeclaration,
): Promise<EnvironmentRow | undefined> {
  const name = settings.name ?? key
  const draft = { ...settings, key, name, managed: manage, withoutKeys: keys !== undefined }
  const made = await attempt(run, pointer, () => insertEnvironment(run, project, draft))
  return made?.row
}

async function enforce(
  run: Provisioning,
  project: ProjectRef,
  { pointer, key, settings }: EnvironmentDeclaration,
): Promise<void> {
  const before = await lockEnvironment(run.db, { projectId: project.id, key })
  try {
    await storeEnvironment(run, project, {
      before,
      after: { ...mergeSettings(before, settings, run.now), managed: true },
    })
  } catch (error) {
    run.faults.push(...findRefusal(error, pointer))
  }
}

/** Writes an environment changed by the file, if there is a difference. */
export async function storeEnvironment(
  { db, changes }: Provisioning,
  project: ProjectRef,
  { before, after }: { before: EnvironmentRow; after: EnvironmentRow },
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return

  await db
    .update(environments)
    .set({ ...after, version: before.version + 1 })
    .where(eq(environments.id, before.id))
  changes.push({
    action: 'environment.update',
    entity: { kind: 'environment', id: before.id, name: before.key },
    project,
    environment: before,
    before: { ...auditedEnvironment(before), managed: before.managed },
    after: { ...auditedEnvironment(after), managed: after.managed },
  })
}
