// Loads the changes of flags in an environment since a given time, and their state at that time.

import type { JsonValue } from '@telltale/core/contract/trace'
import type { FlagPast } from '@telltale/core/evaluation/flag-past'
import type { SegmentDefinition } from '@telltale/core/evaluation/rule-set'
import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  flagConfigs,
  flagConfigVersions,
  flags,
  identityOverrides,
  splitEpochs,
  splits,
} from '../../platform/engines/postgres/schema.ts'
import { coveringHoldouts, loadSegments } from '../../release/flags/load-rule-set.ts'

interface LoadedPast extends FlagPast {
  id: string
  hasOverrides: boolean
}

export interface LoadedPasts {
  /** By key; excludes keys that are not flags of the project. */
  pasts: Map<string, LoadedPast>
  segments: SegmentDefinition[]
}

interface Wanted {
  environment: { id: string; projectId: string }
  keys: readonly string[]
  since: Date
}

/** Far more than a team saves in two days. */
const versionsRead = 20_000

export async function loadFlagPasts(db: Queryable, wanted: Wanted): Promise<LoadedPasts> {
  const { environment } = wanted
  const pasts = new Map<string, LoadedPast>()
  let keys = [...wanted.keys]
  while (keys.length > 0) {
    const found = await loadPasts(db, { ...wanted, keys })
    for (const past of found) pasts.set(past.flag.key, past)
    const requested = found.flatMap(({ versions }) =>
      versions.flatMap(({ config }) => config.prerequisites.map(({ flag }) => flag)),
    )
    keys = [...new Set(requested)].filter((key) => !pasts.has(key) && !wanted.keys.includes(key))
  }
  const segments = await loadSegments(db, environment.id)
  return { pasts, segments: segments.map(({ segment }) => segment) }
}

async function loadPasts(db: Queryable, { environment, keys, since }: Wanted): Promise<LoadedPast[]> {
  const rows = await db
    .select()
    .from(flags)
    .where(and(eq(flags.projectId, environment.projectId), inArray(flags.key, [...keys])))
  if (rows.length === 0) return []
  const place = { environmentId: environment.id, flagIds: rows.map(({ id }) => id), since }
  const versions = await findVersions(db, place)
  const epochs = await findEpochs(db, place)
  const overridden = await findOverridden(db, place)
  // Those that run now, also for the past: who is left out by a hash leaves both arms alike.
  const held = await findCovering(db, place)
  return rows.map(({ id, key, valueType, clientVisible, variations, archivedAt }) => ({
    id,
    flag: {
      key,
      valueType,
      clientVisible,
      // Read from a JSON column.
      variations: variations.map((each) => ({ key: each.key, value: each.value as JsonValue })),
      holdouts: held.get(id),
    },
    archivedAt: archivedAt?.getTime(),
    versions: versions
      .filter(({ flagId }) => flagId === id)
      .map(({ savedAt, config }) => ({ savedAt: savedAt.getTime(), config })),
    epochs: epochs
      .filter(({ flagId }) => flagId === id)
      .map(({ split, startedAt, arms, ...epoch }) => ({
        ...epoch,
        split: String(split),
        startedAt: startedAt.getTime(),
        arms,
      })),
    hasOverrides: overridden.has(id),
  }))
}

interface Place {
  environmentId: string
  flagIds: readonly string[]
  since: Date
}

/** The versions saved since then, and the one that was current at that time. */
async function findVersions(db: Queryable, { environmentId, flagIds, since }: Place) {
  const stood = sql`${flagConfigVersions.version} = (
    SELECT max(earlier.version) FROM ${flagConfigVersions} AS earlier
    WHERE earlier.environment_id = ${flagConfigVersions.environmentId} AND earlier.flag_id = ${flagConfigVersions.flagId}
      AND earlier.saved_at <= ${since.toISOString()})`
  return db
    .select({
      flagId: flagConfigVersions.flagId,
      savedAt: flagConfigVersions.savedAt,
      config: flagConfigVersions.config,
    })
    .from(flagConfigVersions)
    .where(
      and(
        eq(flagConfigVersions.environmentId, environmentId),
        inArray(flagConfigVersions.flagId, [...flagIds]),
        or(gt(flagConfigVersions.savedAt, since), stood),
      ),
    )
    .orderBy(asc(flagConfigVersions.version))
    .limit(versionsRead)
}

async function findEpochs(db: Queryable, { environmentId, flagIds, since }: Place) {
  return db
    .select({
      flagId: splits.flagId,
      split: splits.id,
      epoch: splitEpochs.epoch,
      by: splitEpochs.by,
      arms: splitEpochs.arms,
      startedAt: splitEpochs.startedAt,
    })
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .where(
      and(
        eq(splits.environmentId, environmentId),
        inArray(splits.flagId, [...flagIds]),
        or(isNull(splitEpochs.endedAt), gt(splitEpochs.endedAt, since)),
      ),
    )
    .orderBy(asc(splitEpochs.epoch))
    .limit(versionsRead)
}

async function findOverridden(db: Queryable, { environmentId, flagIds }: Place): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ flagId: identityOverrides.flagId })
    .from(identityOverrides)
    .where(
      and(
        eq(identityOverrides.environmentId, environmentId),
        inArray(identityOverrides.flagId, [...flagIds]),
      ),
    )
  return new Set(rows.map(({ flagId }) => flagId))
}

/** The flags of these that have an override for the targeting key, by the key. */
export async function findOverridesOf(
  db: Queryable,
  { environmentId, flagIds }: Omit<Place, 'since'>,
  targetingKeys: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await db
    .select({ targetingKey: identityOverrides.targetingKey, flagId: identityOverrides.flagId })
    .from(identityOverrides)
    .where(
      and(
        eq(identityOverrides.environmentId, environmentId),
        inArray(identityOverrides.flagId, [...flagIds]),
        inArray(identityOverrides.targetingKey, [...targetingKeys]),
      ),
    )
  const found = new Map<string, Set<string>>()
  for (const { targetingKey, flagId } of rows) {
    found.set(targetingKey, (found.get(targetingKey) ?? new Set()).add(flagId))
  }
  return found
}

/** Running holdouts by the ids of the flags that they cover. */
async function findCovering(db: Queryable, { environmentId, flagIds }: Place) {
  const rows = await db
    .select({ flagId: flagConfigs.flagId, held: coveringHoldouts })
    .from(flagConfigs)
    .where(and(eq(flagConfigs.environmentId, environmentId), inArray(flagConfigs.flagId, [...flagIds])))
  return new Map(rows.map(({ flagId, held }) => [flagId, held ?? undefined]))
}
