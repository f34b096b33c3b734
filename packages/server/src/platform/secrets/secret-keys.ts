// The keys that encrypt secrets in the control plane, for this process: values are read and written by columns, which
// know no server. Each value names its key, so that keys can follow each other.

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

const prefix = 'sealed:v1:'
const algorithm = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export interface SecretKey {
  /** The beginning of its hash. */
  id: string
  bytes: Buffer
}

const known = new Map<string, SecretKey>()
let current: SecretKey | undefined

/** Throws for a text that is no key. */
export function parseSecretKey(text: string): SecretKey {
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length !== keyBytes) throw new Error(`must be ${keyBytes} bytes in Base64`)
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes }
}

export function newSecretKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/** The first one encrypts; all of them decrypt. */
export function useSecretKeys(keys: readonly SecretKey[]): void {
  for (const key of keys) known.set(key.id, key)
  current = keys[0]
}

/** Encrypted for one column, with the current key; without one, as it is. */
export function seal(plain: string, column: string): string {
  const original = standIns.get(plain)
  if (original !== undefined) return original
  if (current === undefined) return plain
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, current.bytes, nonce)
  cipher.setAAD(Buffer.from(column))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${prefix}${current.id}:${sealed.toString('base64')}`
}

/** Old plain values are returned as they are. */
export function unseal(stored: string, column: string): string {
  if (!stored.startsWith(prefix)) return stored
  return open(stored, column) ?? standInOf(stored)
}

/** Undefined without its key, and for a value that was changed or moved from another column. */
function open(stored: string, column: string): string | undefined {
  const key = known.get(keyIdOf(stored) ?? '')
  if (key === undefined) return undefined
  const sealed = Buffer.from(stored.slice(stored.lastIndexOf(':') + 1), 'base64')
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, key.bytes, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(column))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    const plain = [decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]
    return Buffer.concat(plain).toString('utf8')
  } catch {
    return undefined
  }
}

/** The key of a stored value; undefined if it is not encrypted. */
export function keyIdOf(stored: string): string | undefined {
  return stored.startsWith(prefix)
    ? stored.slice(prefix.length, stored.indexOf(':', prefix.length))
    : undefined
}

/** Whether a stored value should be written again: it is readable, or encrypted with an earlier key. */
export function isOutdated(stored: string, column: string): boolean {
  if (current === undefined || keyIdOf(stored) === current.id) return false
  return keyIdOf(stored) === undefined || open(stored, column) !== undefined
}

/** Whether a stored value cannot be read. */
export function isUnreadable(stored: string, column: string): boolean {
  return keyIdOf(stored) !== undefined && open(stored, column) === undefined
}

// What cannot be read must fit nothing: it is replaced by a text that no one can know, and that is valid Base32 like the
// secret of an authenticator app. Saving it keeps the stored value.
const standInKey = randomBytes(keyBytes)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const standIns = new Map<string, string>()

function standInOf(stored: string): string {
  const digest = createHmac('sha256', standInKey).update(stored).digest()
  const standIn = [...digest].map((byte) => letters.charAt(byte & 31)).join('')
  standIns.set(standIn, stored)
  return standIn
}
