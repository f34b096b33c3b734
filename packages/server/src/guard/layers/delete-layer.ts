import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { layers } from '../../platform/engines/postgres/experiment-schema.ts'
import { layerChange } from './layer.ts'
import { findExperimentsIn, getLayer } from './queries.ts'

interface LayerRef {
  project: { id: string; key: string }
  key: string
}

/** Throws `not-found`, and `in-use` while experiments need it. */
export const deleteLayer = change(async ({ db }, { project, key }: LayerRef) => {
  await lockProject(db, project.id)
  const before = await getLayer(db, project.id, key)
  const users = await findExperimentsIn(db, [before.id])
  if (users.length > 0)
    throw problem(
      'in-use',
      `Experiments that have not ended use it: ${users.map(({ name }) => `"${name}"`).join(', ')}.`,
    )
  await db.delete(layers).where(eq(layers.id, before.id))
  return { reply: null, changes: layerChange('delete', { project, before }) }
})
