// Writes a private file so that a reader, and the disk after a power loss, holds all of it or what was there before.
import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

const ownerOnly = 0o600

export async function writeWholeFile(path: string, text: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  const file = await open(unfinished, 'wx', ownerOnly)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}

/** Makes a name in the folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
