import type { SdkKey } from '@telltale/core/contract/keys'
import type { Static } from 'typebox'
import type { KeyRow } from './key-queries.ts'

/**
 * A key as the API returns it: with the value of a client key, which is public, but never with that of a server
 * key.
 */
export function toKey(row: KeyRow): Static<typeof SdkKey> {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    prefix: row.prefix,
    value: row.value,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    managed: row.managed,
  }
}

/** The fields of a key in the audit log. */
export function auditedKey({ kind, label, prefix, revokedAt }: KeyRow): object {
  return { kind, label, prefix, revokedAt: revokedAt?.toISOString() ?? null }
}

/** The name of a key in the audit log. */
export function nameOfKey({ label, prefix }: KeyRow): string {
  return label === '' ? prefix : `${label} (${prefix})`
}
