// The demo: the part that the server loads on request, and the shop's page.

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { bundleForNode } from './bundle.ts'
import { compressFiles } from './compress.ts'
import { buildInPlace, root } from './place.ts'

export async function buildDemo(): Promise<void> {
  await buildInPlace('demo', async (target) => {
    await bundleForNode({ entry: 'demo/demo.ts', outfile: join(target, 'demo.js') })
    const shop = join(target, 'shop')
    await build({
      root: join(root, 'demo/shop'),
      logLevel: 'warn',
      build: { outDir: shop, emptyOutDir: true },
    })
    await compressFiles(shop)
    await cp(join(root, 'demo/recordings'), join(target, 'recordings'), { recursive: true })
  })
}
