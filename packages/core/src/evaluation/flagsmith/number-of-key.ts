// The numbers that Flagsmith's clients know things by that were made here: the same wherever they are asked for.

import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

/** Never 0. Of 48 bits: exact as a double, and two of five thousand names meet once in twenty million projects. */
export function numberOfKey(kind: 'flag' | 'segment' | 'state', name: string): number {
  return Number.parseInt(digest(kind, name).slice(0, 12), 16) + 1
}

/** In the form of a UUID. */
export function uuidOfKey(kind: 'state', name: string): string {
  const hex = digest(kind, name)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function digest(kind: string, name: string): string {
  return bytesToHex(md5(encoder.encode(`${kind} ${name}`)))
}
