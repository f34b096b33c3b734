// IDs derived from content: the same thing always gets the same ID.

import { createHash } from 'node:crypto'
import { idFromBytes } from '../spool/id-bytes.ts'

const bytesPerId = 16

export function idOfText(text: string): string {
  return idFromBytes(createHash('sha256').update(text).digest().subarray(0, bytesPerId))
}
