import { and, eq } from 'drizzle-orm'
import { checkSourceMap, uploadSourceMap } from '../../intake/source-maps/upload-source-map.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { sourceMaps } from '../../platform/engines/postgres/source-map-schema.ts'
import type { MemoryBudget } from '../../platform/memory/memory-budget.ts'
import type { BuiltMap } from './shop-scripts.ts'

interface ShopMaps {
  project: { id: string; key: string }
  version: string
  /** The path that the shop is at. */
  path: string
  maps: readonly BuiltMap[]
  memory: MemoryBudget
}

/** As a pipeline does, every time the shop was built anew. */
export async function uploadShopMaps(
  db: Db,
  origin: ChangeOrigin,
  { project, version, path, maps, memory }: ShopMaps,
): Promise<void> {
  for (const { file: name, content } of maps) {
    const file = `${path}/${name}`
    const map = await memory.during('management', (claim) => checkSourceMap(content, claim))
    const isSame = and(
      eq(sourceMaps.projectId, project.id),
      eq(sourceMaps.file, file),
      eq(sourceMaps.hash, map.hash),
    )
    if ((await db.$count(sourceMaps, isSame)) > 0) continue
    await uploadSourceMap(db, origin, { project, query: { file, version }, map })
  }
}
