import { createHash } from 'node:crypto'

/** A signed 64-bit number as text. Not the ID itself: it is kept when the user is erased. */
export function sessionHash(environmentId: string, session: string): string {
  const digest = createHash('sha256').update(`session ${environmentId} ${session}`).digest()
  return digest.readBigInt64BE().toString()
}
