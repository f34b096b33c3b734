// The shares of layers that running experiments hold. They apply to the split of their place whatever is saved there,
// so that no change of the flag lets in users of another experiment.

import type { LayerShare } from '@telltale/core/contract/flag-config'
import { and, eq } from 'drizzle-orm'
import { experiments, layers } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { ConfigRef } from './queries.ts'

/** By place: a rule's id, or `fallthrough`. */
export async function findLayerShares(
  db: Queryable,
  { flagId, environmentId }: ConfigRef,
): Promise<ReadonlyMap<string, LayerShare>> {
  const rows = await db
    .select({
      place: experiments.place,
      ranges: experiments.layerRanges,
      otherwise: experiments.control,
      ...{ key: layers.key, by: layers.by, salt: layers.salt },
    })
    .from(experiments)
    .innerJoin(layers, eq(layers.id, experiments.layerId))
    .where(
      and(
        eq(experiments.flagId, flagId),
        eq(experiments.environmentId, environmentId),
        eq(experiments.state, 'running'),
      ),
    )
  return new Map(
    rows.flatMap(({ place, ranges, ...layer }) => (ranges === null ? [] : [[place, { ...layer, ranges }]])),
  )
}
