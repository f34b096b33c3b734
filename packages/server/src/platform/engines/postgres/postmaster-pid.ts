// Reads postmaster.pid, in which a running PostgreSQL stores its process and address.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../data-folder/error-code.ts'

type PostmasterPid = { pid: number; socketFolder: string | undefined }

export const postmasterPidFile = (clusterFolder: string) => join(clusterFolder, 'postmaster.pid')

export async function readPostmasterPid(clusterFolder: string): Promise<PostmasterPid | undefined> {
  try {
    return parsePostmasterPid(await readFile(postmasterPidFile(clusterFolder), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The lines: pid, folder, start time, port, socket folder, address, shared memory, status. The last ones are written
 * later.
 */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, socketFolder: lines[4]?.trim() || undefined }
}
