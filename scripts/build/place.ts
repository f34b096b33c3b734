import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/**
 * Runs `build` in a folder next to `dist`, then replaces `dist` with it. The same depth keeps relative paths in
 * source maps valid.
 */
export async function buildInPlace(folder: string, build: (target: string) => Promise<void>): Promise<void> {
  const dist = join(root, folder, 'dist')
  const next = join(root, folder, '.ready')

  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  await build(next)

  rmSync(dist, { recursive: true, force: true })
  renameSync(next, dist)
}
