import type { Serve } from '@telltale/core/contract/flag-config'
import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flagConfigs, flags } from '../../platform/engines/postgres/schema.ts'

/** The keys of those flags whose variations a split assigns in the environment. */
export async function findSplitFlags(
  db: Queryable,
  environmentId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .select({ key: flags.key, rules: flagConfigs.rules, fallthrough: flagConfigs.fallthrough })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(and(eq(flagConfigs.environmentId, environmentId), inArray(flags.key, [...keys])))
  return new Set(
    rows
      .filter(({ rules, fallthrough }) => [fallthrough, ...rules.map(({ serve }) => serve)].some(isDrawn))
      .map(({ key }) => key),
  )
}

const isDrawn = (serve: Serve) =>
  'split' in serve && serve.split.arms.filter(({ weight }) => weight > 0).length > 1
