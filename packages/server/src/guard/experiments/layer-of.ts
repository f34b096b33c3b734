// The layer of an experiment, and the share of it that its start reserves.

import { percentText } from '@telltale/core/changes/condition-words'
import { problem } from '@telltale/core/errors'
import { reserveIn, roomOf } from '@telltale/core/evaluation/layer-room'
import { sizeOf } from '@telltale/core/evaluation/positions'
import { and, eq, isNotNull } from 'drizzle-orm'
import { experiments, layers } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { PlacedExperiment } from './queries.ts'

interface GivenLayer {
  key: string
  share: number
}

interface ChosenLayer {
  layer: PlacedExperiment['layer']
  set: Pick<PlacedExperiment['row'], 'layerId' | 'layerShare'>
}

/** Throws `invalid-experiment` for a layer that does not exist, or that divides by another attribute than the split. */
export async function chooseLayer(
  db: Queryable,
  { projectId, by, given }: { projectId: string; by: string; given: GivenLayer | null },
): Promise<ChosenLayer> {
  if (given === null) return { layer: null, set: { layerId: null, layerShare: null } }
  const [layer] = await db
    .select({ id: layers.id, key: layers.key, name: layers.name, by: layers.by })
    .from(layers)
    .where(and(eq(layers.projectId, projectId), eq(layers.key, given.key)))
  if (layer === undefined)
    throw problem('invalid-experiment', {
      errors: [{ pointer: '/layer/key', message: 'The layer does not exist.' }],
    })
  refuseOtherUnit(layer, by)
  return { layer, set: { layerId: layer.id, layerShare: given.share } }
}

/** Throws `invalid-experiment`: users are disjoint only by the attribute of the layer. */
function refuseOtherUnit(layer: { key: string; by: string }, by: string): void {
  if (layer.by === by) return
  const message = `The layer divides by "${layer.by}", and the split by "${by}".`
  throw problem('invalid-experiment', { errors: [{ pointer: '/layer/key', message }] })
}

/**
 * Reserves its share of the layer; the project must be locked. Throws `layer-full` with what is free, and
 * `invalid-experiment`.
 */
export async function reserveShare(
  db: Queryable,
  { row, layer, environment }: PlacedExperiment,
  by: string,
): Promise<[number, number][] | null> {
  if (layer === null || row.layerShare === null) return null
  refuseOtherUnit(layer, by)
  const held = await db
    .select({ ranges: experiments.layerRanges })
    .from(experiments)
    .where(
      and(
        eq(experiments.layerId, layer.id),
        eq(experiments.environmentId, environment.id),
        eq(experiments.state, 'running'),
        isNotNull(experiments.layerRanges),
      ),
    )
  const pieces = held.flatMap(({ ranges }) => ranges ?? [])
  const ranges = reserveIn(pieces, row.layerShare)
  if (ranges === undefined)
    throw problem(
      'layer-full',
      `The experiment needs ${percentText(row.layerShare)} of layer "${layer.key}", and ${percentText(sizeOf(roomOf(pieces)))} is free in "${environment.key}".`,
    )
  return ranges
}
