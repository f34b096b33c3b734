import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { QueryOf } from '@telltale/core/contract/call'
import type { SourceMap, uploadSourceMap as uploadSourceMapCall } from '@telltale/core/contract/source-maps'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { sourceMaps } from '../../platform/engines/postgres/source-map-schema.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { unpackWhole } from '../../platform/memory/unpack.ts'
import { parsedMapSize, parseSourceMap } from './parse-source-map.ts'
import type { SourceMapRow } from './queries.ts'
import { lastPart, scriptPath } from './script-path.ts'

const unpacking = { packing: 'gzip', mostBytes: limits.sourceMapInflated } as const
const deflate = promisify(gzip)

/** A source map that was parsed and validated, ready to be stored. */
interface CheckedMap {
  hash: string
  content: Uint8Array
}

/** Throws `malformed-body` when it is not a source map. Runs outside the transaction because it is slow. */
export async function checkSourceMap(body: Uint8Array, claim: MemoryClaim): Promise<CheckedMap> {
  const isZipped = body[0] === 0x1f && body[1] === 0x8b
  const plain = isZipped ? await unpackWhole(body, unpacking, claim) : body
  claim.grow(parsedMapSize(plain))
  if (parseSourceMap(plain) === undefined) {
    throw problem('malformed-body', 'This is not a source map of version 3 with mappings.')
  }
  return { hash: hash('sha256', plain), content: isZipped ? body : await deflate(plain) }
}

interface Upload {
  project: { id: string; key: string }
  query: QueryOf<typeof uploadSourceMapCall>
  map: CheckedMap
}

export const uploadSourceMap = change(async ({ db, now, actor }, { project, query, map }: Upload) => {
  const file = scriptPath(query.file)
  const row = {
    id: newId(),
    projectId: project.id,
    version: query.version ?? '',
    file,
    name: lastPart(file),
    debugId: query.debugId ?? null,
    hash: map.hash,
    size: map.content.byteLength,
    uploadedAt: now,
    uploadedBy: actor.name,
  }
  await db
    .delete(sourceMaps)
    .where(
      and(
        eq(sourceMaps.projectId, project.id),
        eq(sourceMaps.version, row.version),
        eq(sourceMaps.file, file),
      ),
    )
  await db.insert(sourceMaps).values({ ...row, content: map.content })
  await makeRoom(db, project.id)
  const reply = toSourceMap(row)
  return {
    reply,
    changes: [
      {
        action: 'source-map.upload',
        entity: { kind: 'source-map', id: row.id, name: file },
        project,
        after: { file, version: row.version, hash: row.hash, size: row.size },
      },
    ],
  }
})

/** Deletes the oldest when there are too many: stacks of such old versions are no longer viewed. */
async function makeRoom(db: Queryable, projectId: string): Promise<void> {
  const [counted] = await db
    .select({ count: count() })
    .from(sourceMaps)
    .where(eq(sourceMaps.projectId, projectId))
  const over = (counted?.count ?? 0) - limits.sourceMapsPerProject
  if (over <= 0) return
  const oldest = db
    .select({ id: sourceMaps.id })
    .from(sourceMaps)
    .where(eq(sourceMaps.projectId, projectId))
    .orderBy(asc(sourceMaps.id))
    .limit(over)
  await db.delete(sourceMaps).where(inArray(sourceMaps.id, oldest))
}

export function toSourceMap(row: SourceMapRow): Static<typeof SourceMap> {
  const { id, version, file, debugId, hash, size, uploadedAt, uploadedBy } = row
  return { id, version, file, debugId, hash, size, uploadedAt: uploadedAt.toISOString(), uploadedBy }
}
