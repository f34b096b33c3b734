// Stores the last response for the next page: one per URL and key, valid only for its subject.

import { readStored, writeStored } from '../browser/store.ts'
import type { BulkAnswer } from './answer.ts'

export type KeptAnswer = [tag: string | null, answer: BulkAnswer]

const format = 1
const lifetime = 30 * 86_400_000

export function readKept(name: string, subject: unknown): Partial<KeptAnswer> {
  try {
    const [written, keptAt, owner, ...kept] = JSON.parse(readStored(name) ?? '[]')
    const isFresh = written === format && keptAt > Date.now() - lifetime
    return isFresh && owner === hash(subject) ? kept : []
  } catch {
    // Written by something else.
    return []
  }
}

export function writeKept(name: string, subject: unknown, kept: KeptAnswer): void {
  writeStored(name, JSON.stringify([format, Date.now(), hash(subject), ...kept]))
}

/** 64 bits: hides the subject's key, and avoids collisions with other subjects. */
function hash(subject: unknown): string {
  let [one, other] = [0, 0]
  for (const char of String(subject)) {
    const code = char.codePointAt(0) ?? 0
    one = (Math.imul(one, 31) + code) | 0
    other = Math.imul(other ^ code, 16_777_619)
  }
  return `${one}.${other}`
}
