// Creates a folder with access for its owner only. An existing folder keeps its mode: it may be wider on purpose.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

const ownerOnly = 0o700

export async function createPrivateFolder(folder: string): Promise<void> {
  // Missing parents get the default mode: restricting them would affect more than this folder.
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(folder, { mode: ownerOnly, recursive: true })
}
