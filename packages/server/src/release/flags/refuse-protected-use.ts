// What a flag is beside its configurations reaches every environment at once. Where that would change what a protected
// one serves, it needs the permission that a change of the configuration there would need.

import { isSame } from '@telltale/core/changes/same'
import { problem } from '@telltale/core/errors'
import type { ProjectRole } from '@telltale/core/permissions'
import { and, asc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flagConfigs } from '../../platform/engines/postgres/schema.ts'
import { mayChangeProtected } from './config-ref.ts'
import type { FlagRow } from './queries.ts'

/** Before the flag comes into every rule set, or leaves it. Throws `forbidden`. */
export async function refuseProtectedUse(db: Queryable, flag: FlagRow, role: ProjectRole): Promise<void> {
  if (mayChangeProtected(role)) return
  const uses = await findProtectedUses(db, flag.id)
  refuseUses(flag, uses)
}

/** Before the flag changes. Names, tags and variations that nobody gets are free. Throws `forbidden`. */
export async function refuseProtectedChange(
  db: Queryable,
  { before, after }: { before: FlagRow; after: FlagRow },
  role: ProjectRole,
): Promise<void> {
  if (mayChangeProtected(role) || before.archivedAt !== null) return
  const changed = findChangedValues(before, after)
  const isShownAnew = before.clientVisible !== after.clientVisible
  if (changed.size === 0 && !isShownAnew) return

  const uses = await findProtectedUses(db, before.id)
  const reached = uses.filter(
    ({ enabled, offVariation }) => isShownAnew || enabled || changed.has(offVariation),
  )
  refuseUses(before, reached)
}

function refuseUses({ key }: FlagRow, uses: { env: string }[]): void {
  const envs = uses.map(({ env }) => env)
  if (envs.length > 0) throw protectedUse(key, envs)
}

/** The variations that both know, with different values. */
export function findChangedValues(before: FlagRow, after: FlagRow): Set<string> {
  const values = new Map(after.variations.map(({ key, value }) => [key, value]))
  const changed = before.variations.filter(
    ({ key, value }) => values.has(key) && !isSame(values.get(key), value),
  )
  return new Set(changed.map(({ key }) => key))
}

/** Protected environments where the flag does something: it is on, or somebody has once said what it does there. */
async function findProtectedUses(db: Queryable, flagId: string) {
  const rows = await db
    .select({
      env: environments.key,
      enabled: flagConfigs.enabled,
      version: flagConfigs.version,
      offVariation: flagConfigs.offVariation,
    })
    .from(flagConfigs)
    .innerJoin(environments, eq(environments.id, flagConfigs.environmentId))
    .where(and(eq(flagConfigs.flagId, flagId), eq(environments.protected, true)))
    .orderBy(asc(environments.position), asc(environments.key))
  return rows.filter(({ enabled, version }) => enabled || version > 1)
}

/** The refusal: what would change, and where. */
export function protectedUse(flag: string, envs: string[]) {
  const places = envs.map((env) => `"${env}"`).join(', ')
  return problem('forbidden', {
    detail: `This changes what "${flag}" serves in ${places}, which is protected: this requires flags.change-protected.`,
    permission: 'flags.change-protected',
  })
}
