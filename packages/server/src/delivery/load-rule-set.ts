// Reads everything that an environment's flags are evaluated from.

import type { JsonValue, RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { environments, flagConfigs, flags, identityOverrides, segments } from '../engines/postgres/schema.ts'

export interface LoadedRuleSet {
  definition: RuleSetDefinition
  flags: Map<string, { version: number }>
}

export async function loadRuleSet(db: Queryable, environmentId: string): Promise<LoadedRuleSet> {
  const rows = await db
    .select({ flag: flags, config: flagConfigs })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(and(eq(flagConfigs.environmentId, environmentId), isNull(flags.archivedAt)))
    .orderBy(asc(flags.key))
  const overrides = await db
    .select()
    .from(identityOverrides)
    .where(eq(identityOverrides.environmentId, environmentId))
  const known = await db
    .select({ key: segments.key, when: segments.conditions })
    .from(segments)
    .innerJoin(environments, eq(environments.projectId, segments.projectId))
    .where(eq(environments.id, environmentId))

  const overridesOf = new Map<string, Map<string, string>>()
  for (const { flagId, targetingKey, variation } of overrides) {
    const ofFlag = overridesOf.get(flagId) ?? new Map<string, string>()
    overridesOf.set(flagId, ofFlag.set(targetingKey, variation))
  }
  return {
    definition: {
      flags: rows.map(({ flag, config }) => ({
        key: flag.key,
        valueType: flag.valueType,
        clientVisible: flag.clientVisible,
        variations: flag.variations.map(({ key, value }) => ({ key, value: value as JsonValue })),
        config: configOf(config),
        overrides: overridesOf.get(flag.id),
      })),
      segments: known,
    },
    flags: new Map(rows.map(({ flag, config }) => [flag.key, { version: config.version }])),
  }
}

type ConfigRow = typeof flagConfigs.$inferSelect

function configOf({ enabled, offVariation, prerequisites, rules, fallthrough, salt }: ConfigRow) {
  return { enabled, offVariation, prerequisites, rules, fallthrough, salt }
}
