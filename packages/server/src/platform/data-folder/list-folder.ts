import { readdir } from 'node:fs/promises'
import { errorCode } from './error-code.ts'

/** Names in the folder; none when it does not exist. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
