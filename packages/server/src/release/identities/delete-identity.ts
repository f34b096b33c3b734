import { createHash } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { identities, identityOverrides } from '../../platform/engines/postgres/schema.ts'
import { findIdentity, findOverridesOf, isIdentity } from './queries.ts'

interface IdentityDeletion {
  project: { id: string; key: string }
  env: string
  targetingKey: string
}

/** Deletes an identity and its overrides. The audit log records the deletion without the identity. */
export const deleteIdentity = change(async ({ db }, { project, env, targetingKey }: IdentityDeletion) => {
  await lockProject(db, project.id)
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  const removed = await removeIdentity(db, { project, environment }, targetingKey)
  if (removed.changes.length === 0)
    throw problem('not-found', 'This identity has never been seen in this environment.')
  return { reply: null, changes: removed.changes }
})

interface Place {
  project: { id: string; key: string }
  environment: { id: string; key: string }
}

/** Does nothing for an unknown identity. */
export async function removeIdentity(
  db: Transaction,
  { project, environment }: Place,
  targetingKey: string,
): Promise<{ rows: Record<'identities' | 'identity_overrides', number>; changes: EntityChange[] }> {
  const ref = { environmentId: environment.id, targetingKey }
  const row = await findIdentity(db, ref)
  const overrides = await findOverridesOf(db, ref)
  const rows = { identities: row === undefined ? 0 : 1, identity_overrides: overrides.length }
  if (!row && overrides.length === 0) return { rows, changes: [] }

  await db.delete(identities).where(isIdentity(ref))
  await db
    .delete(identityOverrides)
    .where(
      and(
        eq(identityOverrides.environmentId, environment.id),
        eq(identityOverrides.targetingKey, targetingKey),
      ),
    )
  const place = { project, environment, part: targetingKey }
  return {
    rows,
    changes: [
      { action: 'identity.delete', entity: { kind: 'identity', ...pseudonymOf(targetingKey) }, ...place },
      ...overrides.map(({ flagId, flag }) => ({
        action: 'override.delete' as const,
        entity: { kind: 'override', id: flagId, name: flag },
        ...place,
      })),
    ],
  }
}

const shownCharacters = 12

/** The entry can be found with the key, but does not reveal it. */
function pseudonymOf(targetingKey: string): { id: string; name: string } {
  const digest = createHash('sha256').update(targetingKey).digest('hex')
  return { id: digest, name: `sha256 ${digest.slice(0, shownCharacters)}…` }
}
