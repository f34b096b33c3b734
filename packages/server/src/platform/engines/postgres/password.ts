// The password of the embedded PostgreSQL: random, created once, in a file that only the server's user can read.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { errorCode } from '../../data-folder/error-code.ts'
import { writeWholeFile } from '../../data-folder/write-whole-file.ts'

const passwordBytes = 24

export async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export async function createPassword(file: string): Promise<string> {
  const password = randomBytes(passwordBytes).toString('base64url')
  await writeWholeFile(file, `${password}\n`)
  return password
}
