import { hash } from 'node:crypto'

/** A UUID of any version, or several concatenated. */
export function idToBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

export function idFromBytes(bytes: Buffer): string {
  const text = bytes.toString('hex')
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    text.slice(12, 16),
    text.slice(16, 20),
    text.slice(20, 32),
  ].join('-')
}

/** A batch of an environment, hashed to eight bytes. */
export interface IdHash {
  high: number
  low: number
}

export function hashOfBatch(environmentId: string, batchId: string): IdHash {
  const digest = hash('sha256', idToBytes(environmentId + batchId), 'buffer')
  return { high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) }
}
