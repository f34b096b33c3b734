import { problem } from '@telltale/core/errors'
import { kindOfSdkKey, type SdkKeyKind, serverKeyPrefix } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import { auditedKey, nameOfKey } from './key.ts'
import { countActiveKeys, type KeyRow } from './key-queries.ts'

export interface KeyDraft {
  kind: SdkKeyKind
  label: string
  /** From a setup file; generated otherwise. */
  value?: string
  managed?: boolean
}

export interface KeyOwner {
  project: { id: string; key: string }
  environment: { id: string; key: string }
}

/** Inserts a key. Throws `already-exists` if a given value is in use anywhere, and `in-use`. */
export async function insertKey(
  { db, now }: ChangeContext,
  { project, environment }: KeyOwner,
  draft: KeyDraft,
): Promise<{ row: KeyRow; value: string; changes: EntityChange[] }> {
  const { kind, label } = draft
  const value = draft.value ?? newKeyValue(kind, environment.key)
  if (kindOfSdkKey(value) !== kind) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/value', message: `only server keys begin with ${serverKeyPrefix}` }],
    })
  }
  if ((await countActiveKeys(db, environment.id, now)) >= limits.keysPerEnvironment) {
    throw problem('in-use', `An environment has at most ${limits.keysPerEnvironment} active keys.`)
  }

  const [row] = await db
    .insert(sdkKeys)
    .values({
      id: newId(),
      environmentId: environment.id,
      kind,
      label,
      hash: hashSecret(value),
      prefix: prefixOf(kind, value),
      value: kind === 'client' ? value : null,
      createdAt: now,
      managed: draft.managed ?? false,
    })
    .onConflictDoNothing({ target: sdkKeys.hash })
    .returning()
  if (!row) throw problem('already-exists', 'An SDK key with this value exists already.')

  return {
    row,
    value,
    changes: [
      {
        action: 'key.create',
        entity: { kind: 'key', id: row.id, name: nameOfKey(row) },
        project,
        environment,
        after: auditedKey(row),
      },
    ],
  }
}

function newKeyValue(kind: SdkKeyKind, environmentKey: string): string {
  return kind === 'server' ? newSecret(serverKeyPrefix) : newSecret(`tt_${environmentKey.slice(0, 4)}_c_`)
}

const shownOfClient = 16
const shownOfServer = serverKeyPrefix.length + 6

/** Enough to distinguish keys. A server key from a setup file may be short: then at most half of it. */
function prefixOf(kind: SdkKeyKind, value: string): string {
  return kind === 'client'
    ? value.slice(0, shownOfClient)
    : value.slice(0, Math.min(shownOfServer, Math.floor(value.length / 2)))
}
