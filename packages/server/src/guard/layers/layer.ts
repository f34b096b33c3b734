import type { Layer } from '@telltale/core/contract/layers'
import { roomOf } from '@telltale/core/evaluation/layer-room'
import { sizeOf } from '@telltale/core/evaluation/positions'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findEnvironmentKeys, findExperimentsIn, type LayerRow } from './queries.ts'

/** Layers of one project as the API returns them. */
export async function toLayers(
  db: Queryable,
  projectId: string,
  rows: readonly LayerRow[],
): Promise<Layer[]> {
  const all = await findExperimentsIn(
    db,
    rows.map(({ id }) => id),
  )
  const keys = await findEnvironmentKeys(db, projectId)
  return rows.map(({ id, key, name, description, by, createdBy, createdAt, updatedAt }) => {
    const own = all.filter(({ layerId }) => layerId === id)
    const freeIn = (env: string) => {
      const running = own.filter((one) => one.env === env && one.state === 'running')
      return sizeOf(roomOf(running.flatMap(({ ranges }) => ranges ?? [])))
    }
    return {
      ...{ id, key, name, description, by, createdBy },
      free: Object.fromEntries(keys.map((env) => [env, freeIn(env)])),
      experiments: own.map(({ layerId: _layer, ranges: _ranges, ...one }) => one),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }
  })
}

/** One layer as the API returns it. */
export async function toLayer(db: Queryable, row: LayerRow): Promise<Layer> {
  const [layer] = await toLayers(db, row.projectId, [row])
  if (layer === undefined) throw new Error('A layer is always rendered.')
  return layer
}

interface LayerChange {
  project: { id: string; key: string }
  before?: LayerRow
  after?: LayerRow
}

/** The audit entry of a change. */
export function layerChange(
  action: 'create' | 'update' | 'delete',
  { project, before, after }: LayerChange,
): EntityChange[] {
  const one = after ?? before
  if (one === undefined) return []
  return [
    {
      action: `layer.${action}`,
      entity: { kind: 'layer', id: one.id, name: one.key },
      project,
      ...(before && { before: audited(before) }),
      ...(after && { after: audited(after) }),
    },
  ]
}

const audited = ({ key, name, description, by }: LayerRow) => ({ key, name, description, by })
