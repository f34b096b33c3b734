// The keys of this installation: those of the setting, then the one in the data folder.

import { readFile } from 'node:fs/promises'
import { errorCode } from '../../data-folder/error-code.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { writeWholeFile } from '../../data-folder/write-whole-file.ts'
import type { Config } from '../../process/config.ts'
import { newSecretKey, parseSecretKey, type SecretKey, useSecretKeys } from '../../secrets/secret-keys.ts'

type Settings = Pick<Config, 'dataFolder' | 'databaseUrl' | 'secretsKeys'>

/**
 * Makes the keys known to this process. A key is created for the embedded database only: servers that share a database
 * must share the key, so it comes from the setting.
 */
export async function loadSecretKeys({ dataFolder, databaseUrl, secretsKeys = [] }: Settings): Promise<void> {
  const path = dataPaths(dataFolder).secretsKey
  const kept = await readKeyFile(path)
  const given = [...secretsKeys, ...(kept === undefined ? [] : [kept])]
  const isOwn = given.length === 0 && databaseUrl === undefined
  useSecretKeys(isOwn ? [await createKeyFile(path)] : given)
}

/** Undefined without the file. */
export async function readKeyFile(path: string): Promise<SecretKey | undefined> {
  try {
    return parseSecretKey(await readFile(path, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} does not contain the key of secrets: ${reason}. Restore the file from a copy.`, {
      cause: error,
    })
  }
}

async function createKeyFile(path: string): Promise<SecretKey> {
  const text = newSecretKey()
  await writeWholeFile(path, `${text}\n`)
  return parseSecretKey(text)
}
