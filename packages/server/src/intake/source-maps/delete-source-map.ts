import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { sourceMaps } from '../../platform/engines/postgres/source-map-schema.ts'
import { getSourceMap } from './queries.ts'

interface Deletion {
  project: { id: string; key: string }
  id: string
}

export const deleteSourceMap = change(async ({ db }, { project, id }: Deletion) => {
  const { file, version, hash } = await getSourceMap(db, { projectId: project.id, id })
  await db.delete(sourceMaps).where(eq(sourceMaps.id, id))
  return {
    reply: null,
    changes: [
      {
        action: 'source-map.delete',
        entity: { kind: 'source-map', id, name: file },
        project,
        before: { file, version, hash },
      },
    ],
  }
})
