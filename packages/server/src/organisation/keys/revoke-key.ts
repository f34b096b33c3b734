import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { auditedKey, nameOfKey, toKey } from '../environments/key.ts'
import { lockKey } from '../environments/key-queries.ts'
import { getEnvironment } from '../environments/queries.ts'

interface KeyRevocation {
  project: { id: string; key: string }
  env: string
  id: string
}

/** Revokes a key immediately, even if it was to end later. Idempotent. */
export const revokeKey = change(async ({ db, now }, { project, env, id }: KeyRevocation) => {
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  const before = await lockKey(db, { environmentId: environment.id, id })
  if (!before) throw problem('not-found')
  if (before.managed) throw problem('managed')
  if (before.revokedAt !== null && before.revokedAt <= now) return { reply: toKey(before), changes: [] }

  const after = { ...before, revokedAt: now }
  await db.update(sdkKeys).set({ revokedAt: now }).where(eq(sdkKeys.id, id))
  return {
    reply: toKey(after),
    changes: [
      {
        action: 'key.revoke',
        entity: { kind: 'key', id, name: nameOfKey(before) },
        project,
        environment,
        before: auditedKey(before),
        after: auditedKey(after),
      },
    ],
  }
})
