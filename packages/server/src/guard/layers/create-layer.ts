import { randomBytes } from 'node:crypto'
import type { BodyOf } from '@telltale/core/contract/call'
import type { createLayer as createLayerCall } from '@telltale/core/contract/layers'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { layers } from '../../platform/engines/postgres/experiment-schema.ts'
import { layerChange, toLayer } from './layer.ts'
import { findLayers, type LayerRow } from './queries.ts'

interface LayerCreation {
  project: { id: string; key: string }
  given: BodyOf<typeof createLayerCall>
}

/** Throws `already-exists` and `in-use`. */
export const createLayer = change(async ({ db, now, actor }, { project, given }: LayerCreation) => {
  await lockProject(db, project.id)
  const existing = await findLayers(db, project.id)
  if (existing.some(({ key }) => key === given.key))
    throw problem('already-exists', `The layer "${given.key}" already exists in the project.`)
  if (existing.length >= limits.layers)
    throw problem('in-use', `A project has at most ${limits.layers} layers: delete one first.`)
  const row: LayerRow = {
    id: newId(),
    projectId: project.id,
    key: given.key,
    name: given.name,
    description: given.description ?? '',
    by: given.by ?? 'targetingKey',
    salt: randomBytes(12).toString('base64url'),
    createdBy: actor.name,
    createdAt: now,
    updatedAt: now,
  }
  await db.insert(layers).values(row)
  return { reply: await toLayer(db, row), changes: layerChange('create', { project, after: row }) }
})
