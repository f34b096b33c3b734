import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode } from './bundle.ts'
import { buildInPlace, root } from './place.ts'

const migrations = join(root, 'packages/server/src/platform/engines/postgres/migrations')

export async function buildServer(): Promise<void> {
  await buildInPlace('packages/server', async (target) => {
    await bundleForNode({
      entry: 'packages/server/src/app/main.ts',
      outfile: join(target, 'main.js'),
      isSplit: true,
    })
    await bundleForNode({
      entry: 'packages/server/src/platform/engines/clickhouse/engine/main.ts',
      outfile: join(target, 'telemetry-engine.js'),
    })
    cpSync(migrations, join(target, 'migrations'), { recursive: true })
  })
}
