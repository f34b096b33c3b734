import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { insertKey } from '../environments/insert-key.ts'
import { auditedKey, nameOfKey, toKey } from '../environments/key.ts'
import { type KeyRow, lockKey } from '../environments/key-queries.ts'
import { lockEnvironment } from '../environments/queries.ts'

interface KeyRotation {
  project: { id: string; key: string }
  env: string
  id: string
  /** Until when the old key works. Default: now. */
  revokeAt?: string | undefined
}

/** Creates the successor of a key and returns its value; the old key ends now or at the given instant. */
export const rotateKey = change(async (context, { project, env, id, revokeAt }: KeyRotation) => {
  const { db, now } = context
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const old = await lockKey(db, { environmentId: environment.id, id })
  if (!old) throw problem('not-found')
  refuseFixed(old, now)

  const revokedAt = revokeAt === undefined ? now : readFuture(revokeAt, now)
  // First, so that a key that ends now makes room for its successor.
  await db.update(sdkKeys).set({ revokedAt }).where(eq(sdkKeys.id, id))
  const successor = await insertKey(context, { project, environment }, { kind: old.kind, label: old.label })

  return {
    reply: { key: toKey(successor.row), value: successor.value },
    changes: [
      ...successor.changes,
      {
        action: 'key.rotate',
        entity: { kind: 'key', id, name: nameOfKey(old) },
        project,
        environment,
        before: auditedKey(old),
        after: { ...auditedKey({ ...old, revokedAt }), successor: successor.row.prefix },
      },
    ],
  }
})

function refuseFixed({ managed, revokedAt }: KeyRow, now: Date): void {
  if (managed) throw problem('managed')
  if (revokedAt === null) return

  throw revokedAt <= now
    ? problem('not-found', 'This key is revoked. Create a new key.')
    : problem(
        'in-use',
        `This key has a successor and works until ${revokedAt.toISOString()}. Rotate the successor, or revoke this one.`,
      )
}

function readFuture(text: string, now: Date): Date {
  const at = readInstant(text, '/revokeAt')
  if (at < now) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/revokeAt', message: 'must not be in the past' }],
    })
  }
  return at
}
