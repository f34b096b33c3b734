import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode } from './bundle.ts'
import { buildInPlace, root } from './place.ts'

const entry = 'packages/server/src/main.ts'
const migrations = join(root, 'packages/server/src/engines/postgres/migrations')

export async function buildServer(): Promise<void> {
  if (!existsSync(join(root, entry))) return
  await buildInPlace('packages/server', async (target) => {
    await bundleForNode({ entry, outfile: join(target, 'main.js') })
    if (existsSync(migrations)) cpSync(migrations, join(target, 'migrations'), { recursive: true })
  })
}
