// Tokens for event streams, because a browser can only send a URL for them. A token represents an SDK key
// without containing it: it only opens streams, expires, and ends with its key. It is signed with the hash of
// the key, so all servers on one PostgreSQL accept each other's tokens, and only the holder of the key can get
// one.

import { createHmac } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { isSameSecret } from '../../platform/http/secret.ts'

const halfLife = limits.streamTokenLifetime / 2

/** Counts half lives: all tokens of a key within one are the same. */
export function epochAt(now: number): number {
  return Math.floor(now / halfLife)
}

export function streamToken(key: KnownKey, epoch: number): string {
  return `${key.id}.${epoch.toString(36)}.${seal(key, epoch)}`
}

function seal({ hash }: KnownKey, epoch: number): string {
  return createHmac('sha256', hash).update(`stream.${epoch}`).digest('base64url')
}

export interface ReadToken {
  key: KnownKey
  isExpired: boolean
}

/** Undefined for an invalid token. */
export function readStreamToken(
  token: string,
  { findKey, now }: { findKey: (id: string) => KnownKey | undefined; now: number },
): ReadToken | undefined {
  const [id = '', written = '', sealed = '', ...rest] = token.split('.')
  const key = findKey(id)
  const epoch = Number.parseInt(written, 36)
  if (key === undefined || rest.length > 0 || !Number.isSafeInteger(epoch)) return undefined
  if (!isSameSecret(sealed, seal(key, epoch))) return undefined

  return { key, isExpired: epochAt(now) - epoch > 1 }
}
