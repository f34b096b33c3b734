import { join } from 'node:path'
import { build } from 'vite'
import { compressFiles } from './compress.ts'
import { buildInPlace, root } from './place.ts'

export async function buildConsole(): Promise<void> {
  await buildInPlace('packages/console', async (target) => {
    await build({
      root: join(root, 'packages/console'),
      logLevel: 'warn',
      build: { outDir: target, emptyOutDir: true },
    })
    await compressFiles(target)
  })
}
