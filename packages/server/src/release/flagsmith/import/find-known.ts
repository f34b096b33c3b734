import type { Known } from '@telltale/core/evaluation/flagsmith/import-document'
import { and, eq, ne } from 'drizzle-orm'
import type { Queryable } from '../../../platform/engines/postgres/open.ts'
import {
  environments,
  flagConfigs,
  flags,
  identityOverrides,
  segments,
} from '../../../platform/engines/postgres/schema.ts'
import { findAllFlags } from '../../flags/queries.ts'

/** The flags and segments of a project, and which of them were imported from Flagsmith. */
export async function findKnown(
  db: Queryable,
  { projectId, environmentId }: { projectId: string; environmentId: string },
): Promise<Known> {
  const all = await findAllFlags(db, projectId)
  const needed = await findNeeded(db, { projectId, environmentId })
  const parts = await db.select().from(segments).where(eq(segments.projectId, projectId))
  return {
    features: new Map(
      all.flatMap(({ key, valueType, variations, flagsmith }) =>
        flagsmith === null
          ? []
          : [
              [
                flagsmith.id,
                { key, valueType, variations, feature: flagsmith, needed: needed.get(key) ?? new Set() },
              ],
            ],
      ),
    ),
    segments: new Map(
      parts.flatMap(({ key, flagsmith }) => (flagsmith === null ? [] : [[flagsmith.id, key]])),
    ),
    flagKeys: all.map(({ key }) => key),
    segmentKeys: parts.map(({ key }) => key),
  }
}

/** By flag: variations served in other environments or required by other flags. */
async function findNeeded(
  db: Queryable,
  { projectId, environmentId }: { projectId: string; environmentId: string },
): Promise<Map<string, Set<string>>> {
  const needed = new Map<string, Set<string>>()
  const add = (flag: string, variation: string) => {
    const found = needed.get(flag) ?? new Set()
    needed.set(flag, found.add(variation))
  }
  const configs = await db
    .select({ key: flags.key, config: flagConfigs })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(eq(flags.projectId, projectId))
  for (const { key, config } of configs) {
    for (const { flag, variation } of config.prerequisites) add(flag, variation)
    if (config.environmentId === environmentId) continue
    add(key, config.offVariation)
    for (const serve of [config.fallthrough, ...config.rules.map((rule) => rule.serve)]) {
      if ('variation' in serve) add(key, serve.variation)
      else for (const { variation } of serve.split.arms) add(key, variation)
    }
  }
  const overridden = await db
    .selectDistinct({ key: flags.key, variation: identityOverrides.variation })
    .from(identityOverrides)
    .innerJoin(flags, eq(flags.id, identityOverrides.flagId))
    .innerJoin(environments, eq(environments.id, identityOverrides.environmentId))
    .where(and(eq(environments.projectId, projectId), ne(environments.id, environmentId)))
  for (const { key, variation } of overridden) add(key, variation)
  return needed
}
