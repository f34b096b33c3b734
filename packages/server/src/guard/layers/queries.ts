import { problem } from '@telltale/core/errors'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { experiments, layers } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'

export type LayerRow = typeof layers.$inferSelect

/** By key. */
export async function findLayers(db: Queryable, projectId: string): Promise<LayerRow[]> {
  return db.select().from(layers).where(eq(layers.projectId, projectId)).orderBy(asc(layers.key))
}

/** Throws `not-found`. */
export async function getLayer(db: Queryable, projectId: string, key: string): Promise<LayerRow> {
  const [found] = await db
    .select()
    .from(layers)
    .where(and(eq(layers.projectId, projectId), eq(layers.key, key)))
  if (found === undefined) throw problem('not-found', 'There is no such layer.')
  return found
}

/** Drafts and running ones of these layers, newest first. */
export async function findExperimentsIn(db: Queryable, layerIds: readonly string[]) {
  if (layerIds.length === 0) return []
  return db
    .select({
      id: experiments.id,
      name: experiments.name,
      layerId: experiments.layerId,
      env: environments.key,
      flag: flags.key,
      state: experiments.state,
      share: experiments.layerShare,
      ranges: experiments.layerRanges,
    })
    .from(experiments)
    .innerJoin(environments, eq(environments.id, experiments.environmentId))
    .innerJoin(flags, eq(flags.id, experiments.flagId))
    .where(and(inArray(experiments.layerId, [...layerIds]), inArray(experiments.state, ['draft', 'running'])))
    .orderBy(desc(experiments.id))
}

/** The keys of the environments of a project. */
export async function findEnvironmentKeys(db: Queryable, projectId: string): Promise<string[]> {
  const rows = await db
    .select({ key: environments.key })
    .from(environments)
    .where(eq(environments.projectId, projectId))
  return rows.map(({ key }) => key)
}
