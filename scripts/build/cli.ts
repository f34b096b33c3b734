import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode } from './bundle.ts'
import { buildInPlace, root } from './place.ts'

const entry = 'packages/cli/src/telltale.ts'

export async function buildCli(): Promise<void> {
  if (!existsSync(join(root, entry))) return
  await buildInPlace('packages/cli', async (target) => {
    const outfile = join(target, 'telltale.js')
    await bundleForNode({ entry, outfile, banner: '#!/usr/bin/env node' })
    chmodSync(outfile, 0o755)
  })
}
