import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq, inArray } from 'drizzle-orm'
import type { ChangeContext, EntityChange } from '../../../platform/engines/postgres/change.ts'
import { identityOverrides } from '../../../platform/engines/postgres/schema.ts'
import { countOverrides } from '../../overrides/queries.ts'
import type { ImportPlace, WrittenFlag } from './write-flags.ts'

/** PostgreSQL allows 65 535 parameters in one statement, and each row has five. */
const rowsPerStatement = 5_000

/** Replaces all overrides of the imported flags in the environment. */
export async function writeOverrides(
  { db, now }: ChangeContext,
  { project, environment }: ImportPlace,
  written: readonly WrittenFlag[],
): Promise<EntityChange[]> {
  if (written.length === 0) return []
  const removed = await db
    .delete(identityOverrides)
    .where(
      and(
        eq(identityOverrides.environmentId, environment.id),
        inArray(
          identityOverrides.flagId,
          written.map(({ row }) => row.id),
        ),
      ),
    )
    .returning({ flagId: identityOverrides.flagId })
  const rows = written.flatMap(({ row, imported }) =>
    [...imported.overrides].map(([targetingKey, variation]) => ({
      environmentId: environment.id,
      flagId: row.id,
      targetingKey,
      variation,
      createdAt: now,
    })),
  )
  if ((await countOverrides(db, environment.id)) + rows.length > limits.overridesPerEnvironment) {
    throw problem('in-use', `An environment has at most ${limits.overridesPerEnvironment} overrides.`)
  }
  for (let first = 0; first < rows.length; first += rowsPerStatement) {
    await db.insert(identityOverrides).values(rows.slice(first, first + rowsPerStatement))
  }
  const touched = new Set([...removed, ...rows].map(({ flagId }) => flagId))
  return written
    .filter(({ row }) => touched.has(row.id))
    .map(({ row, imported }) => ({
      // Without a part, every server reads all overrides of the flag again.
      action: 'override.import',
      entity: { kind: 'override', id: row.id, name: row.key },
      project,
      environment,
      after: { overrides: imported.overrides.size },
    }))
}
