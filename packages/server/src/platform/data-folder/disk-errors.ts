// What a disk says when it takes nothing more, and how a person reads it.
import { errorCode } from './error-code.ts'

const outOfRoom = new Set(['ENOSPC', 'EDQUOT'])
const closed = new Set(['EROFS', 'EACCES', 'EPERM'])

export function isOutOfRoom(error: unknown): boolean {
  return outOfRoom.has(errorCode(error) ?? '')
}

/** One sentence for what a person has to mend on the disk; nothing for any other error. */
export function explainDiskError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  const code = errorCode(error) ?? ''
  const place = 'path' in error && typeof error.path === 'string' ? error.path : 'the data folder'
  if (outOfRoom.has(code)) {
    return `The disk is full, so ${place} can't be written (${code}). Free some space and start the server again.`
  }
  // Where nothing may be written, making a folder and those above it fails with ENOENT.
  if (closed.has(code) || (code === 'ENOENT' && error.syscall === 'mkdir')) {
    return `The server can't write ${place} (${code}). Make the data folder writable for user id ${process.getuid?.() ?? 'of the server'}, or choose another with --data.`
  }
  return undefined
}
