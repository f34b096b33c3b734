import { problem } from '@telltale/core/errors'
import {
  and,
  arrayContains,
  asc,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  environments,
  flagConfigs,
  flagConfigVersions,
  flags,
  identityOverrides,
} from '../../platform/engines/postgres/schema.ts'
import { teamMembers } from '../../platform/engines/postgres/team-schema.ts'

export type FlagRow = typeof flags.$inferSelect
export type ConfigRow = typeof flagConfigs.$inferSelect
export type ConfigVersionRow = typeof flagConfigVersions.$inferSelect

export async function findFlag(db: Queryable, projectId: string, key: string): Promise<FlagRow | undefined> {
  const [row] = await db
    .select()
    .from(flags)
    .where(and(eq(flags.projectId, projectId), eq(flags.key, key)))
  return row
}

/** Throws `not-found`. */
export async function getFlag(db: Queryable, projectId: string, key: string): Promise<FlagRow> {
  const row = await findFlag(db, projectId, key)
  if (!row) throw problem('not-found', `There is no flag "${key}" here.`)
  return row
}

/** Locked until the transaction ends, so that no owner is deleted in between. Throws `not-found`. */
export async function lockFlag(db: Queryable, projectId: string, key: string): Promise<FlagRow> {
  const [row] = await db
    .select()
    .from(flags)
    .where(and(eq(flags.projectId, projectId), eq(flags.key, key)))
    .for('update')
  if (!row) throw problem('not-found', `There is no flag "${key}" here.`)
  return row
}

export async function countFlags(db: Queryable, projectId: string): Promise<number> {
  return db.$count(flags, eq(flags.projectId, projectId))
}

/** Including archived flags. */
export async function findAllFlags(db: Queryable, projectId: string): Promise<FlagRow[]> {
  return db.select().from(flags).where(eq(flags.projectId, projectId))
}

export interface FlagFilter {
  search?: string
  tag?: string
  archived?: boolean
  owner?: string
  /** The account that owns them, itself or by a team. */
  ownedBy?: string
  type?: FlagRow['valueType']
}

/** A condition: the account is in a team that owns the flag. */
export function isOwnedByTeamOf(userId: string): SQL<boolean> {
  return sql`EXISTS (
    SELECT 1 FROM ${teamMembers}
    WHERE ${teamMembers.userId} = ${userId} AND ${teamMembers.teamId} = ANY (${flags.ownerTeams})
  )`
}

/** By key. */
export async function findFlags(
  db: Queryable,
  projectId: string,
  { filter, after, count }: { filter: FlagFilter; after: string | undefined; count: number },
): Promise<FlagRow[]> {
  const { search, tag, archived, owner, ownedBy, type } = filter
  const pattern = search === undefined ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return db
    .select()
    .from(flags)
    .where(
      and(
        eq(flags.projectId, projectId),
        archived === true ? isNotNull(flags.archivedAt) : isNull(flags.archivedAt),
        after === undefined ? undefined : gt(flags.key, after),
        pattern === undefined ? undefined : or(ilike(flags.key, pattern), ilike(flags.name, pattern)),
        tag === undefined ? undefined : arrayContains(flags.tags, [tag]),
        owner === undefined
          ? undefined
          : or(arrayContains(flags.owners, [owner]), arrayContains(flags.ownerTeams, [owner])),
        ownedBy === undefined
          ? undefined
          : or(arrayContains(flags.owners, [ownedBy]), isOwnedByTeamOf(ownedBy)),
        type === undefined ? undefined : eq(flags.valueType, type),
      ),
    )
    .orderBy(asc(flags.key))
    .limit(count)
}

export interface PlacedConfig {
  config: ConfigRow
  flag: FlagRow
  env: string
  envCreatedAt: Date
}

const placed = {
  config: flagConfigs,
  flag: flags,
  env: environments.key,
  envCreatedAt: environments.createdAt,
}

/** Configurations with their places, including archived flags, by flag and in the order of environments. */
export async function findConfigs(
  db: Queryable,
  projectId: string,
  { flagIds }: { flagIds?: readonly string[] } = {},
): Promise<PlacedConfig[]> {
  return db
    .select(placed)
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .innerJoin(environments, eq(environments.id, flagConfigs.environmentId))
    .where(
      and(
        eq(flags.projectId, projectId),
        flagIds === undefined ? undefined : inArray(flags.id, [...flagIds]),
      ),
    )
    .orderBy(asc(flags.key), asc(environments.position), asc(environments.key))
}

export interface ConfigRef {
  flagId: string
  environmentId: string
}

/** Throws `not-found`. */
export async function getConfig(db: Queryable, { flagId, environmentId }: ConfigRef): Promise<ConfigRow> {
  const [row] = await db
    .select()
    .from(flagConfigs)
    .where(and(eq(flagConfigs.flagId, flagId), eq(flagConfigs.environmentId, environmentId)))
  if (!row) throw problem('not-found', 'The flag has no configuration in this environment.')
  return row
}

/** Newest first. */
export async function findVersions(
  db: Queryable,
  { flagId, environmentId }: ConfigRef,
  { before, count }: { before: number | undefined; count: number },
): Promise<ConfigVersionRow[]> {
  return db
    .select()
    .from(flagConfigVersions)
    .where(
      and(
        eq(flagConfigVersions.flagId, flagId),
        eq(flagConfigVersions.environmentId, environmentId),
        before === undefined ? undefined : lt(flagConfigVersions.version, before),
      ),
    )
    .orderBy(desc(flagConfigVersions.version))
    .limit(count)
}

/** Throws `not-found`. */
export async function getVersion(db: Queryable, ref: ConfigRef, version: number): Promise<ConfigVersionRow> {
  const [row] = await findVersions(db, ref, { before: version + 1, count: 1 })
  if (!row || row.version !== version) throw problem('not-found', `There is no version ${version}.`)
  return row
}

export interface PrerequisiteUse {
  id: string
  key: string
  environmentId: string
  prerequisites: ConfigRow['prerequisites']
}

/** Active flags with prerequisites, by environment. */
export async function findPrerequisites(db: Queryable, projectId: string): Promise<PrerequisiteUse[]> {
  const { environmentId, prerequisites } = flagConfigs
  return db
    .select({ id: flags.id, key: flags.key, environmentId, prerequisites })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(
      and(eq(flags.projectId, projectId), isNull(flags.archivedAt), sql`${prerequisites} <> '[]'::jsonb`),
    )
}

/** The variations used in overrides of flags, by environment. */
export async function findOverridden(
  db: Queryable,
  { flagIds, environmentIds }: { flagIds: readonly string[]; environmentIds: readonly string[] },
) {
  if (environmentIds.length === 0) return []
  const { flagId, environmentId, variation } = identityOverrides
  return db
    .selectDistinct({ flagId, environmentId, variation })
    .from(identityOverrides)
    .where(and(inArray(environmentId, [...environmentIds]), inArray(flagId, [...flagIds])))
}

/** The environments in which a flag has overrides, with their variations. */
export async function findOverriddenVariations(db: Queryable, flagId: string) {
  return db
    .selectDistinct({ env: environments.key, variation: identityOverrides.variation })
    .from(identityOverrides)
    .innerJoin(environments, eq(environments.id, identityOverrides.environmentId))
    .where(eq(identityOverrides.flagId, flagId))
    .orderBy(asc(environments.key))
}

/** The flags and environments in which a flag is a prerequisite. */
export async function findDependents(db: Queryable, projectId: string, key: string): Promise<PlacedConfig[]> {
  return db
    .select(placed)
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .innerJoin(environments, eq(environments.id, flagConfigs.environmentId))
    .where(
      and(
        eq(flags.projectId, projectId),
        sql`${flagConfigs.prerequisites} @> ${JSON.stringify([{ flag: key }])}::jsonb`,
      ),
    )
    .orderBy(asc(flags.key), asc(environments.key))
}
