import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Lets `build` fill a folder beside `dist`, then replaces that. Same depth, so relative paths in source maps hold. */
export async function buildInPlace(folder: string, build: (target: string) => Promise<void>): Promise<void> {
  const dist = join(root, folder, 'dist')
  const next = join(root, folder, '.ready')

  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  await build(next)

  rmSync(dist, { recursive: true, force: true })
  renameSync(next, dist)
}
