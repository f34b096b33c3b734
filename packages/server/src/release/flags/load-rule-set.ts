// Reads the data from which an environment's flags are evaluated: everything, or only what a change affects.

import type { HoldoutShare, Rule, Serve } from '@telltale/core/contract/flag-config'
import type { FlagText, SegmentText } from '@telltale/core/contract/rule-set-file'
import type { JsonValue } from '@telltale/core/contract/trace'
import { type ExclusionRule, withExclusions } from '@telltale/core/evaluation/exclusion-rules'
import { conditionsIn } from '@telltale/core/evaluation/flagsmith/import-conditions'
import type { FlagDefinition, RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import {
  environments,
  flagConfigs,
  flags,
  identityOverrides,
  segments,
} from '../../platform/engines/postgres/schema.ts'

export interface LoadedFlag {
  id: string
  flag: FlagText
}

interface LoadedSegment {
  id: string
  segment: SegmentText
}

interface LoadedRuleSet {
  /** The key of the environment. */
  environment: string
  flags: LoadedFlag[]
  segments: LoadedSegment[]
  /** By the flag's key and targeting key. */
  overrides: Map<string, Map<string, string>>
}

/** A consistent snapshot. */
export async function loadRuleSet(db: Db, environmentId: string): Promise<LoadedRuleSet> {
  return db.transaction(
    async (transaction) => {
      const [environment] = await transaction
        .select({ key: environments.key })
        .from(environments)
        .where(eq(environments.id, environmentId))
      const found = await loadFlags(transaction, environmentId)
      return {
        environment: environment?.key ?? '',
        flags: found,
        segments: await loadSegments(transaction, environmentId),
        overrides: await loadOverrides(transaction, { environmentId, flags: found }),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** The data for evaluations of one subject; overrides are limited to the subject. */
export async function loadForSubject(
  db: Queryable,
  environmentId: string,
  targetingKey: string | undefined,
): Promise<RuleSetDefinition> {
  const found = await loadFlags(db, environmentId)
  const own =
    targetingKey === undefined
      ? []
      : await db
          .select()
          .from(identityOverrides)
          .where(and(ofEnvironment(environmentId), eq(identityOverrides.targetingKey, targetingKey)))
  const known = await loadSegments(db, environmentId)
  const toDefinition = ({ id, flag: { version: _version, ...flag } }: LoadedFlag): FlagDefinition => ({
    ...flag,
    overrides: new Map(
      own.filter(({ flagId }) => flagId === id).map((row) => [row.targetingKey, row.variation]),
    ),
  })
  return { flags: found.map(toDefinition), segments: known.map(({ segment }) => segment) }
}

interface Laid {
  serve: Serve
  control: string
  exclusions: ExclusionRule[] | null
}

/** Splits of running rollouts that replace saved ones, by place; in the same statement, for consistency. */
const laidOver = sql<Record<string, Laid> | null>`(
  SELECT jsonb_object_agg(${rollouts.place}, jsonb_build_object(
    'serve', jsonb_build_object('split', ${rollouts.overlay}), 'control', ${rollouts.control}, 'exclusions', ${rollouts.exclusions}))
  FROM ${rollouts}
  WHERE ${rollouts.overlay} IS NOT NULL
    AND ${rollouts.environmentId} = ${flagConfigs.environmentId} AND ${rollouts.flagId} = ${flagConfigs.flagId})`

/** Running holdouts that cover a flag. */
export const coveringHoldouts = sql<HoldoutShare[] | null>`(
  SELECT jsonb_agg(jsonb_build_object('key', ${holdouts.key}, 'salt', ${holdouts.salt}, 'share', ${holdouts.share}) ORDER BY ${holdouts.key})
  FROM ${holdouts}
  WHERE ${holdouts.state} = 'running' AND ${holdouts.environmentId} = ${flagConfigs.environmentId}
    AND (${holdouts.flagIds} IS NULL OR ${holdouts.flagIds} ? ${flagConfigs.flagId}::text))`

/** Without archived flags. */
export async function loadFlags(
  db: Queryable,
  environmentId: string,
  ids?: readonly string[],
): Promise<LoadedFlag[]> {
  const rows = await db
    .select({ flag: flags, config: flagConfigs, laid: laidOver, held: coveringHoldouts })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(
      and(
        eq(flagConfigs.environmentId, environmentId),
        isNull(flags.archivedAt),
        ids === undefined ? undefined : inArray(flags.id, [...ids]),
      ),
    )
    .orderBy(asc(flags.key))
  return rows.map(({ flag, config, laid, held }) => ({
    id: flag.id,
    flag: {
      key: flag.key,
      version: config.version,
      valueType: flag.valueType,
      clientVisible: flag.clientVisible,
      variations: flag.variations.map(({ key, value }) => ({ key, value: asJson(value) })),
      config: {
        enabled: config.enabled,
        offVariation: config.offVariation,
        prerequisites: config.prerequisites,
        rules: withoutExcluded(
          config.rules.map((rule) => ({ ...rule, serve: laid?.[rule.id]?.serve ?? rule.serve })),
          laid ?? {},
        ),
        fallthrough: laid?.fallthrough?.serve ?? config.fallthrough,
        salt: config.salt,
      },
      ...(flag.flagsmith === null ? {} : { flagsmith: flag.flagsmith }),
      ...(held === null ? {} : { holdouts: held }),
    },
  }))
}

/** With the rules of what rollouts exclude. */
function withoutExcluded(rules: readonly Rule[], laid: Readonly<Record<string, Laid>>): Rule[] {
  return Object.entries(laid).reduce<Rule[]>(
    (all, [place, { exclusions, control }]) => withExclusions(all, exclusions ?? [], { place, control }),
    [...rules],
  )
}

export async function loadSegments(
  db: Queryable,
  environmentId: string,
  ids?: readonly string[],
): Promise<LoadedSegment[]> {
  const rows = await db
    .select({
      id: segments.id,
      key: segments.key,
      when: segments.conditions,
      flagsmith: segments.flagsmith,
      environment: environments.flagsmith,
    })
    .from(segments)
    .innerJoin(environments, eq(environments.projectId, segments.projectId))
    .where(
      and(eq(environments.id, environmentId), ids === undefined ? undefined : inArray(segments.id, [...ids])),
    )
    .orderBy(asc(segments.key))
  return rows.map(({ id, key, when, flagsmith, environment }) => ({
    id,
    segment: {
      key,
      // Segments belong to a project and contain the environment imported last, which is replaced here.
      when:
        environment === null ? when : conditionsIn(when, { key: environment.apiKey, name: environment.name }),
      ...(flagsmith === null ? {} : { flagsmith }),
    },
  }))
}

/** Small enough not to delay other requests while a page is read. */
const pageSize = 2_000

/** All overrides of these flags. */
export async function loadOverrides(
  db: Queryable,
  { environmentId, flags: wanted }: { environmentId: string; flags: readonly LoadedFlag[] },
): Promise<Map<string, Map<string, string>>> {
  const byId = new Map(wanted.map(({ id, flag }) => [id, { key: flag.key, of: new Map<string, string>() }]))
  const isAll = wanted.length > pageSize / 10
  const ofWanted = isAll ? undefined : inArray(identityOverrides.flagId, [...byId.keys()])
  if (wanted.length === 0) return new Map()

  for (let after: SQL | undefined, count = pageSize; count === pageSize; ) {
    const rows = await db
      .select()
      .from(identityOverrides)
      .where(and(ofEnvironment(environmentId), ofWanted, after))
      .orderBy(asc(identityOverrides.flagId), asc(identityOverrides.targetingKey))
      .limit(pageSize)
    for (const { flagId, targetingKey, variation } of rows) byId.get(flagId)?.of.set(targetingKey, variation)
    count = rows.length
    const last = rows.at(-1)
    if (last) {
      after = sql`(${identityOverrides.flagId}, ${identityOverrides.targetingKey}) > (${last.flagId}::uuid, ${last.targetingKey})`
    }
  }
  return new Map([...byId.values()].filter(({ of }) => of.size > 0).map(({ key, of }) => [key, of]))
}

/** The variations of these targeting keys; keys without an override are missing. */
export async function loadSomeOverrides(
  db: Queryable,
  { environmentId, flagId }: { environmentId: string; flagId: string },
  targetingKeys: Iterable<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const wanted = [...targetingKeys]
  for (let first = 0; first < wanted.length; first += pageSize) {
    const rows = await db
      .select()
      .from(identityOverrides)
      .where(
        and(
          ofEnvironment(environmentId),
          eq(identityOverrides.flagId, flagId),
          inArray(identityOverrides.targetingKey, wanted.slice(first, first + pageSize)),
        ),
      )
    for (const { targetingKey, variation } of rows) found.set(targetingKey, variation)
  }
  return found
}

function ofEnvironment(environmentId: string): SQL {
  return eq(identityOverrides.environmentId, environmentId)
}

/** Read from a JSON column. */
function asJson(value: unknown): JsonValue {
  return value as JsonValue
}
