import type { JsonValue, RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { environments, flagConfigs, flags, identityOverrides, segments } from '../engines/postgres/schema.ts'

export interface LoadedFlag {
  id: string
  /** Of the configuration. */
  version: number
  clientVisible: boolean
  valueType: 'boolean' | 'string' | 'number' | 'json'
}

export interface LoadedRuleSet {
  definition: RuleSetDefinition
  /** By key. */
  flags: Map<string, LoadedFlag>
}

/** Everything that an environment's flags are evaluated from; archived flags are left out. */
export async function loadRuleSet(db: Queryable, environmentId: string): Promise<LoadedRuleSet> {
  const rows = await db
    .select({ flag: flags, config: flagConfigs })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(and(eq(flagConfigs.environmentId, environmentId), isNull(flags.archivedAt)))
    .orderBy(asc(flags.key))
  const known = await db
    .select({ key: segments.key, when: segments.conditions })
    .from(segments)
    .innerJoin(environments, eq(environments.projectId, segments.projectId))
    .where(eq(environments.id, environmentId))
    .orderBy(asc(segments.key))
  const overrides = await loadOverrides(db, environmentId)

  return {
    definition: {
      flags: rows.map(({ flag, config }) => ({
        key: flag.key,
        valueType: flag.valueType,
        clientVisible: flag.clientVisible,
        variations: flag.variations.map(({ key, value }) => ({ key, value: asJson(value) })),
        config: {
          enabled: config.enabled,
          offVariation: config.offVariation,
          prerequisites: config.prerequisites,
          rules: config.rules,
          fallthrough: config.fallthrough,
          salt: config.salt,
        },
        overrides: overrides.get(flag.id),
      })),
      segments: known,
    },
    flags: new Map(rows.map(({ flag, config }) => [flag.key, { ...flag, version: config.version }])),
  }
}

async function loadOverrides(
  db: Queryable,
  environmentId: string,
): Promise<Map<string, Map<string, string>>> {
  const rows = await db
    .select()
    .from(identityOverrides)
    .where(eq(identityOverrides.environmentId, environmentId))
  const byFlag = new Map<string, Map<string, string>>()
  for (const { flagId, targetingKey, variation } of rows) {
    const ofFlag = byFlag.get(flagId) ?? new Map<string, string>()
    byFlag.set(flagId, ofFlag.set(targetingKey, variation))
  }
  return byFlag
}

/** Came out of a column of JSON. */
function asJson(value: unknown): JsonValue {
  return value as JsonValue
}
