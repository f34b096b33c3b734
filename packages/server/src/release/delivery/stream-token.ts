// Tokens for event streams, whose address is all the credential that a browser can send. A token stands for an SDK key
// without being it: it opens streams alone, ages, and ends with its key. It is sealed with the hash of the key, so every
// server on one PostgreSQL reads the tokens of the others, and only who could ask for a token could make one.

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

/** Nothing for a token that we did not make. */
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
