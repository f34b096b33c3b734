// Hashes a user, browser or account to a 64-bit number: the same wherever it is computed, different in each
// environment. The first eight bytes, big-endian, of SHA-256 over the UTF-8 of the environment's id, the attribute and
// its value, separated by zero bytes; written as a decimal number.

import { sha256 } from '@noble/hashes/sha2.js'

const encoder = new TextEncoder()
const bytesPerHash = 8

interface HashedUnit {
  /** The environment's UUID, in lower case. */
  environment: string
  attribute: string
  value: string
}

export function unitHash({ environment, attribute, value }: HashedUnit): string {
  const text = `${environment}\0${attribute}\0${value}`
  const known = recent.get(text)
  if (known !== undefined) return known
  const hash = hash64(text)
  if (recent.size >= remembered) recent.clear()
  recent.set(text, hash)
  return hash
}

/** A browser sends a batch every few seconds, and each names the same user. */
const recent = new Map<string, string>()
const remembered = 5_000

/** The same hash of any text. */
export function hash64(text: string): string {
  let hash = 0n
  for (const byte of sha256(encoder.encode(text)).subarray(0, bytesPerHash))
    hash = (hash << 8n) | BigInt(byte)
  return String(hash)
}
