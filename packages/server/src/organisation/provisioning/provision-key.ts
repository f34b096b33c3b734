import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { hashSecret } from '../../platform/http/secret.ts'
import { insertKey, type KeyOwner } from '../environments/insert-key.ts'
import { auditedKey, nameOfKey } from '../environments/key.ts'
import { findKeys, type KeyRow } from '../environments/key-queries.ts'
import type { KeyDeclaration } from './declarations.ts'
import { attempt, type Provisioning } from './provisioning.ts'

interface Place extends KeyOwner {
  /** Whether this start creates the environment. */
  isNew: boolean
  /** The hashes of all keys with a given value in this environment: none of them counts as a generated key. */
  givenHashes: ReadonlySet<string>
}

export async function provisionKey(run: Provisioning, place: Place, declared: KeyDeclaration): Promise<void> {
  const { pointer, value, manage } = declared
  const found = value === undefined ? await findGenerated(run, place, declared) : await findGiven(run, value)
  if (found && found.environmentId !== place.environment.id) {
    run.faults.push({ pointer: `${pointer}/value`, message: 'is a key of another environment' })
    return
  }

  const isDue = run.memory.isDue(identityOf(place, declared), {
    exists: found !== undefined,
    manage,
    isPartOfNew: place.isNew,
  })
  const row = isDue ? await create(run, place, declared) : found
  if (!row || !manage) return

  run.managed.add(row.id)
  const label = declared.label ?? row.label
  await storeKey(run, place, { before: row, after: { ...row, label, revokedAt: null, managed: true } })
}

function identityOf({ project, environment }: Place, { kind, label, value }: KeyDeclaration): string {
  const name = value === undefined ? `${kind} ${label ?? ''}` : `#${hashSecret(value)}`
  return `key ${project.key}/${environment.key} ${name}`
}

async function findGiven({ db }: Provisioning, value: string): Promise<KeyRow | undefined> {
  const [row] = await db
    .select()
    .from(sdkKeys)
    .where(eq(sdkKeys.hash, hashSecret(value)))
    .for('update')
  return row
}

/** The key of this kind and label: the managed one, else the newest valid one; if managed, also a revoked one. */
async function findGenerated(
  { db, now }: Provisioning,
  { environment, givenHashes }: Place,
  { kind, label = '', manage }: KeyDeclaration,
): Promise<KeyRow | undefined> {
  const keys = await findKeys(db, environment.id)
  const alike = keys.filter((key) => key.kind === kind && key.label === label && !givenHashes.has(key.hash))
  const works = ({ revokedAt }: KeyRow) => revokedAt === null || revokedAt > now
  return alike.find((key) => key.managed) ?? alike.find(works) ?? (manage ? alike[0] : undefined)
}

async function create(
  run: Provisioning,
  { project, environment }: Place,
  { pointer, kind, label = '', value, manage }: KeyDeclaration,
): Promise<KeyRow | undefined> {
  const draft = { kind, label, managed: manage, ...(value === undefined ? {} : { value }) }
  const made = await attempt(run, pointer, () => insertKey(run, { project, environment }, draft))
  if (made && value === undefined) {
    const names = { project: project.key, environment: environment.key }
    run.generatedKeys.push({ ...names, kind, label, value: made.value })
  }
  return made?.row
}

/** Writes a key changed by the file, if there is a difference. */
export async function storeKey(
  { db, changes }: Provisioning,
  { project, environment }: KeyOwner,
  { before, after }: { before: KeyRow; after: KeyRow },
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return

  const { label, revokedAt, managed } = after
  await db.update(sdkKeys).set({ label, revokedAt, managed }).where(eq(sdkKeys.id, before.id))
  changes.push({
    action: 'key.update',
    entity: { kind: 'key', id: before.id, name: nameOfKey(after) },
    project,
    environment,
    before: { ...auditedKey(before), managed: before.managed },
    after: { ...auditedKey(after), managed },
  })
}
