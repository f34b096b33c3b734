// Recognizes errors of a disk that rejects writes, and describes them for the operator.
import { errorCode } from './error-code.ts'

const outOfRoom = new Set(['ENOSPC', 'EDQUOT'])
const closed = new Set(['EROFS', 'EACCES', 'EPERM'])

export function isOutOfRoom(error: unknown): boolean {
  return outOfRoom.has(errorCode(error) ?? '')
}

/** One sentence about what to fix on the disk; undefined for any other error. */
export function explainDiskError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  const code = errorCode(error) ?? ''
  const place = 'path' in error && typeof error.path === 'string' ? error.path : 'the data folder'
  if (outOfRoom.has(code)) {
    return `The disk is full, so ${place} can't be written (${code}). Free some space and start the server again.`
  }
  // On a read-only disk, creating a folder with its parents fails with ENOENT.
  if (closed.has(code) || (code === 'ENOENT' && error.syscall === 'mkdir')) {
    return `The server can't write ${place} (${code}). Make the data folder writable for user id ${process.getuid?.() ?? 'of the server'}, or choose another with --data.`
  }
  return undefined
}
