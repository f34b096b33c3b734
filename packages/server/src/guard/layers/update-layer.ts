import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '@telltale/core/contract/call'
import type { updateLayer as updateLayerCall } from '@telltale/core/contract/layers'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { layers } from '../../platform/engines/postgres/experiment-schema.ts'
import { layerChange, toLayer } from './layer.ts'
import { getLayer } from './queries.ts'

interface LayerUpdate {
  project: { id: string; key: string }
  key: string
  given: BodyOf<typeof updateLayerCall>
}

/** Throws `not-found`. */
export const updateLayer = change(async ({ db, now }, { project, key, given }: LayerUpdate) => {
  await lockProject(db, project.id)
  const before = await getLayer(db, project.id, key)
  const { name = before.name, description = before.description } = given
  const set = { name, description }
  if (isDeepStrictEqual({ ...before, ...set }, before))
    return { reply: await toLayer(db, before), changes: [] }
  const after = { ...before, ...set, updatedAt: now }
  await db.update(layers).set(after).where(eq(layers.id, before.id))
  return { reply: await toLayer(db, after), changes: layerChange('update', { project, before, after }) }
})
