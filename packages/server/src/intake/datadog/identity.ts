// Ids that are made from what a thing is: the same whenever and wherever it comes again.

import { createHash } from 'node:crypto'
import { idFromBytes } from '../spool/id-bytes.ts'

const bytesPerId = 16

export function idOfText(text: string): string {
  return idFromBytes(createHash('sha256').update(text).digest().subarray(0, bytesPerId))
}
