// Makes secrets and the hashes we keep of them.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const secretBytes = 24

/** 192 bits from the system's generator, in letters that fit URLs, headers and double-clicks. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(secretBytes).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B')
}

/** Our secrets are random and long, so a plain hash can't be guessed back. Passwords take argon2id instead. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** The token of a link, for people who paste all of it. */
export function tokenOfLink(given: string): string {
  return /\btt[ip]_[A-Za-z0-9]+$/.exec(given.trim())?.[0] ?? given
}

/** Compares without telling by the time taken how much was right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
