import { randomBytes } from 'node:crypto'
import { firstConfigOf } from '@telltale/core/flags-as-code/first-config'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { flagConfigs, flagConfigVersions, type flags } from '../../platform/engines/postgres/schema.ts'

type FlagRow = typeof flags.$inferSelect
type ConfigRow = typeof flagConfigs.$inferSelect
type ConfigVersionRow = typeof flagConfigVersions.$inferSelect

/** PostgreSQL allows 65 535 parameters in one statement, and each row has eleven at most. */
const rowsPerStatement = 5_000

/**
 * Inserts the initial configuration of flags in environments: turned off, with a single variation as the
 * default.
 */
export async function insertFirstConfigs(
  context: ChangeContext,
  { flags, environments }: { flags: readonly FlagRow[]; environments: readonly { id: string }[] },
): Promise<void> {
  const rows = environments.flatMap(({ id }) => flags.map((flag) => firstConfig(flag, id, context.now)))
  await insertConfigs(context, rows)
}

/** Inserts configurations with their first versions. */
export async function insertConfigs({ db, actor }: ChangeContext, rows: readonly ConfigRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += rowsPerStatement) {
    const some = rows.slice(first, first + rowsPerStatement)
    await db.insert(flagConfigs).values(some)
    await db.insert(flagConfigVersions).values(some.map((row) => versionOf(row, { actor, reason: null })))
  }
}

/** The row that stores this version of a configuration. */
export function versionOf(
  row: ConfigRow,
  {
    actor,
    reason,
    changeRequest = null,
  }: Pick<ConfigVersionRow, 'actor' | 'reason'> & Partial<Pick<ConfigVersionRow, 'changeRequest'>>,
): typeof flagConfigVersions.$inferInsert {
  const { flagId, environmentId, version, savedAt, oneVariationSince: _derived, ...config } = row
  return { flagId, environmentId, version, config, actor, reason, changeRequest, savedAt }
}

export function firstConfig({ id, variations }: FlagRow, environmentId: string, now: Date): ConfigRow {
  const { enabled, offVariation, prerequisites, fallthrough } = firstConfigOf(
    variations.map(({ key }) => key),
  )
  return {
    flagId: id,
    environmentId,
    enabled,
    offVariation,
    prerequisites,
    rules: [],
    fallthrough,
    salt: randomBytes(12).toString('base64url'),
    version: 1,
    savedAt: now,
    oneVariationSince: now,
  }
}
