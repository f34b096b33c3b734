import type { FlagDefinition, JsonValue } from '@telltale/core/evaluation/rule-set'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { flagConfigVersions, flags } from '../engines/postgres/schema.ts'
import { configIn } from '../flags/config-draft.ts'
import { loadSegments } from '../flags/load-rule-set.ts'
import type { RuleSetSince } from './demo.ts'

/** What an environment served, from every change to the next, the oldest first. */
export async function readRuleSets(
  db: Queryable,
  { environmentId, until }: { environmentId: string; until: Date },
): Promise<RuleSetSince[]> {
  const segments = (await loadSegments(db, environmentId)).map(({ segment }) => segment)
  const rows = await db
    .select({ flag: flags, version: flagConfigVersions })
    .from(flagConfigVersions)
    .innerJoin(flags, eq(flags.id, flagConfigVersions.flagId))
    .where(and(eq(flagConfigVersions.environmentId, environmentId), lte(flagConfigVersions.savedAt, until)))
    .orderBy(asc(flagConfigVersions.savedAt), asc(flagConfigVersions.version))

  const inForce = new Map<string, FlagDefinition>()
  return rows.map(({ flag: { key, valueType, variations, clientVisible }, version }) => {
    const { enabled, offVariation, prerequisites, rules, fallthrough, salt } = configIn(version.config)
    inForce.set(key, {
      ...{ key, valueType, clientVisible },
      // Came out of a column of JSON.
      variations: variations.map((each) => ({ key: each.key, value: each.value as JsonValue })),
      config: { enabled, offVariation, prerequisites, rules, fallthrough, salt },
    })
    return { from: version.savedAt.getTime(), definition: { flags: [...inForce.values()], segments } }
  })
}
