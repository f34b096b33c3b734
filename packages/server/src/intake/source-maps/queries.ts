import { problem } from '@telltale/core/errors'
import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { sourceMaps } from '../../platform/engines/postgres/source-map-schema.ts'
import type { KnownMap } from './find-map.ts'
import { buildHash, isHashed, withoutHash } from './script-path.ts'

const described = {
  id: sourceMaps.id,
  projectId: sourceMaps.projectId,
  version: sourceMaps.version,
  file: sourceMaps.file,
  name: sourceMaps.name,
  debugId: sourceMaps.debugId,
  hash: sourceMaps.hash,
  size: sourceMaps.size,
  uploadedAt: sourceMaps.uploadedAt,
  uploadedBy: sourceMaps.uploadedBy,
}

/** Without its bytes. */
export type SourceMapRow = Omit<typeof sourceMaps.$inferSelect, 'content' | 'regrouped'>

export async function findSourceMaps(
  db: Queryable,
  filter: { projectId: string; version: string | undefined; q: string | undefined },
  { before, count }: { before: string | undefined; count: number },
): Promise<SourceMapRow[]> {
  const { projectId, version, q } = filter
  return db
    .select(described)
    .from(sourceMaps)
    .where(
      and(
        eq(sourceMaps.projectId, projectId),
        version === undefined ? undefined : eq(sourceMaps.version, version),
        q === undefined ? undefined : sql`strpos(lower(${sourceMaps.file}), lower(${q})) > 0`,
        before === undefined ? undefined : lt(sourceMaps.id, before),
      ),
    )
    .orderBy(desc(sourceMaps.id))
    .limit(count)
}

/** How many maps were uploaded for each of these versions. */
export async function countSourceMaps(
  db: Queryable,
  projectId: string,
  versions: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .select({ version: sourceMaps.version, count: sql<number>`count(*)::int` })
    .from(sourceMaps)
    .where(and(eq(sourceMaps.projectId, projectId), inArray(sourceMaps.version, [...versions])))
    .groupBy(sourceMaps.version)
  return new Map(rows.map(({ version, count }) => [version, count]))
}

/** Throws `not-found`. */
export async function getSourceMap(
  db: Queryable,
  { projectId, id }: { projectId: string; id: string },
): Promise<SourceMapRow> {
  const [row] = await db
    .select(described)
    .from(sourceMaps)
    .where(and(eq(sourceMaps.projectId, projectId), eq(sourceMaps.id, id)))
  if (!row) throw problem('not-found', 'There is no such source map in the project.')
  return row
}

/** Maps of scripts with these names, and of other builds when names contain a hash. The newest first. */
export async function findNamedMaps(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<KnownMap[]> {
  if (names.length === 0) return []
  const rebuilt = [...new Set(names.filter(isHashed).map(withoutHash))]
  const nameWithoutHash = sql`regexp_replace(${sourceMaps.name}, ${buildHash.source}, '')`
  return db
    .select({ id: sourceMaps.id, version: sourceMaps.version, file: sourceMaps.file })
    .from(sourceMaps)
    .where(
      and(
        eq(sourceMaps.projectId, projectId),
        or(
          inArray(sourceMaps.name, [...names]),
          rebuilt.length === 0 ? undefined : inArray(nameWithoutHash, rebuilt),
        ),
      ),
    )
    .orderBy(desc(sourceMaps.id))
}

export async function hasSourceMaps(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db
    .select({ id: sourceMaps.id })
    .from(sourceMaps)
    .where(eq(sourceMaps.projectId, projectId))
    .limit(1)
  return rows.length > 0
}

/** As gzip; undefined when it was deleted meanwhile. */
export async function readContent(db: Queryable, id: string): Promise<Uint8Array | undefined> {
  const [row] = await db.select({ content: sourceMaps.content }).from(sourceMaps).where(eq(sourceMaps.id, id))
  return row?.content
}
