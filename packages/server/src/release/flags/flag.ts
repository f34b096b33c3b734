import type { FlagConfig } from '@telltale/core/contract/flag-config'
import type { Flag, FlagConfigVersion, FlagSummary, SavedFlagConfig } from '@telltale/core/contract/flags'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import type { ConfigRow, ConfigVersionRow, FlagRow, PlacedConfig } from './queries.ts'

type Summary = Static<typeof FlagSummary>

/** A flag as the API returns it. */
export function toFlag(row: FlagRow): Static<typeof Flag> {
  return {
    id: row.id,
    ...auditedFlag(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    managed: row.managed,
  }
}

/** The fields of a flag in the audit log. */
export function auditedFlag(row: FlagRow) {
  return {
    key: row.key,
    name: row.name,
    description: row.description,
    valueType: row.valueType,
    variations: row.variations,
    valueSchema: row.valueSchema,
    tags: row.tags,
    owners: row.owners,
    ownerTeams: row.ownerTeams,
    permanent: row.permanent,
    removeBy: row.removeBy,
    clientVisible: row.clientVisible,
    archivedAt: row.archivedAt?.toISOString() ?? null,
  }
}

export function toSummary(
  { config, env }: PlacedConfig,
  { lastEvaluatedAt, lifecycle }: Pick<Summary, 'lastEvaluatedAt' | 'lifecycle'>,
): Summary {
  const { enabled, version, rules, fallthrough, offVariation } = config
  const serve = enabled ? fallthrough : { variation: offVariation }
  const serves =
    'split' in serve
      ? serve.split.arms.map(({ variation, weight }) => ({ variation, weight }))
      : [{ variation: serve.variation, weight: limits.weightTotal }]
  return { env, enabled, version, rules: rules.length, serves, lastEvaluatedAt, lifecycle }
}

export function toConfig(
  row: FlagConfig & Pick<ConfigRow, 'version' | 'savedAt'>,
): Static<typeof SavedFlagConfig> {
  return { ...auditedConfig(row), salt: row.salt, version: row.version, savedAt: row.savedAt.toISOString() }
}

/** The fields of a configuration in the audit log. */
export function auditedConfig(row: FlagConfig) {
  const { enabled, offVariation, prerequisites, rules, fallthrough } = row
  return { enabled, offVariation, prerequisites, rules, fallthrough }
}

export function toVersion(row: ConfigVersionRow): Static<typeof FlagConfigVersion> {
  const { version, savedAt, actor, reason, changeRequest } = row
  return { version, savedAt: savedAt.toISOString(), actor, reason, changeRequest }
}
