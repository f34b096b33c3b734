// Changes of a flag itself affect all environments at once. If they would change the value served in an environment,
// they need the same permissions as a change of its configuration there.

import { isSame } from '@telltale/core/changes/same'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flagConfigs } from '../../platform/engines/postgres/schema.ts'
import { mayChangeIn } from './config-ref.ts'
import type { FlagRow } from './queries.ts'

/** Check before a flag is added to all rule sets or removed from them. Throws `forbidden`. */
export async function refuseProtectedUse(db: Queryable, flag: FlagRow, grant: Grant): Promise<void> {
  const uses = await findForbiddenUses(db, flag.id, grant)
  refuseUses(flag, uses)
}

/**
 * Check before a flag changes. Names, tags and variations that are not served can be changed freely. Throws
 * `forbidden`.
 */
export async function refuseProtectedChange(
  db: Queryable,
  { before, after }: { before: FlagRow; after: FlagRow },
  grant: Grant,
): Promise<void> {
  if (grant.kind === 'installation' || before.archivedAt !== null) return
  const changed = findChangedValues(before, after)
  const isShownAnew = before.clientVisible !== after.clientVisible
  if (changed.size === 0 && !isShownAnew) return

  const uses = await findForbiddenUses(db, before.id, grant)
  const reached = uses.filter(
    ({ enabled, offVariation }) => isShownAnew || enabled || changed.has(offVariation),
  )
  refuseUses(before, reached)
}

function refuseUses({ key }: FlagRow, uses: { env: string }[]): void {
  const envs = uses.map(({ env }) => env)
  if (envs.length > 0) throw protectedUse(key, envs)
}

/** Variations that exist before and after, with different values. */
export function findChangedValues(before: FlagRow, after: FlagRow): Set<string> {
  const values = new Map(after.variations.map(({ key, value }) => [key, value]))
  const changed = before.variations.filter(
    ({ key, value }) => values.has(key) && !isSame(values.get(key), value),
  )
  return new Set(changed.map(({ key }) => key))
}

/** Environments that the caller may not change, where the flag is on, or has been configured before. */
async function findForbiddenUses(db: Queryable, flagId: string, grant: Grant) {
  const rows = await db
    .select({
      env: environments.key,
      protected: environments.protected,
      enabled: flagConfigs.enabled,
      version: flagConfigs.version,
      offVariation: flagConfigs.offVariation,
    })
    .from(flagConfigs)
    .innerJoin(environments, eq(environments.id, flagConfigs.environmentId))
    .where(eq(flagConfigs.flagId, flagId))
    .orderBy(asc(environments.position), asc(environments.key))
  return rows.filter(
    (row) =>
      (row.enabled || row.version > 1) && !mayChangeIn({ key: row.env, protected: row.protected }, grant),
  )
}

/** The error, with the flag and the environments affected. */
export function protectedUse(flag: string, envs: string[]) {
  const places = envs.map((env) => `"${env}"`).join(', ')
  return problem('forbidden', {
    detail: `This changes what "${flag}" serves in ${places}. That requires flags.change there, and flags.change-protected in a protected environment.`,
    permission: 'flags.change-protected',
  })
}
