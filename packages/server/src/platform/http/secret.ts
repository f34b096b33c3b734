// Generates secrets and their stored hashes.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const secretBytes = 24

/**
 * 192 bits from the system's generator, in characters that are safe in URLs and headers and selected by a
 * double-click.
 */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(secretBytes).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B')
}

/** Secrets are random and long, so a plain hash is safe against guessing. Passwords use argon2id instead. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Extracts the token when a whole link was pasted. */
export function tokenOfLink(given: string): string {
  return /\btt[ips]_[A-Za-z0-9]+$/.exec(given.trim())?.[0] ?? given
}

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
