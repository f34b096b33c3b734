import type { CodeKind } from '@telltale/core/code-kinds'
import type { SavedFlag } from '@telltale/core/flags-as-code/compare-code'
import type { SegmentContent } from '@telltale/core/flags-as-code/content'
import { asc, eq, inArray } from 'drizzle-orm'
import { type EnvironmentRow, findEnvironments } from '../../organisation/environments/queries.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { segments } from '../../platform/engines/postgres/schema.ts'
import { teams } from '../../platform/engines/postgres/team-schema.ts'
import { draftOf } from '../flags/config-draft.ts'
import { type FlagRow, findAllFlags, findConfigs, findFlag } from '../flags/queries.ts'
import type { Entries } from './entries.ts'
import type { EntryKinds } from './entry-kinds.ts'

export interface ProjectState extends Entries {
  flags: Map<string, SavedFlag>
  segments: Map<string, SegmentContent>
  environments: EnvironmentRow[]
  rows: ReadonlyMap<string, FlagRow>
  leftOut: string[]
}

/** Everything of a project that code can describe. */
export async function readState(db: Queryable, projectId: string, kinds: EntryKinds): Promise<ProjectState> {
  const rows = await findAllFlags(db, projectId)
  const [metrics, rolloutTemplates, alerts, dashboards] = [
    await kinds.metrics.read(db, projectId),
    await kinds.rolloutTemplates.read(db, projectId),
    await kinds.alerts.read(db, projectId),
    await kinds.dashboards.read(db, projectId),
  ]
  return {
    flags: await readFlags(db, projectId, rows),
    segments: await readSegments(db, projectId),
    metrics: metrics.entries,
    rolloutTemplates: rolloutTemplates.entries,
    alerts: alerts.entries,
    dashboards: dashboards.entries,
    environments: await findEnvironments(db, projectId),
    rows: new Map(rows.map((row) => [row.key, row])),
    leftOut: [metrics, rolloutTemplates, alerts, dashboards].flatMap(({ leftOut }) => leftOut),
  }
}

export interface EntryRef {
  kind: CodeKind
  key: string
}

/** The same with a single entry, or with all of its kind where those are few. */
export async function readEntryState(
  db: Queryable,
  projectId: string,
  { kinds, kind, key }: EntryRef & { kinds: EntryKinds },
): Promise<ProjectState> {
  const none = {
    ...{ flags: new Map(), segments: new Map(), metrics: new Map(), rolloutTemplates: new Map() },
    ...{ alerts: new Map(), dashboards: new Map(), rows: new Map(), leftOut: [] },
    environments: await findEnvironments(db, projectId),
  }
  if (kind === 'segments') return { ...none, segments: await readSegments(db, projectId) }
  if (kind !== 'flags') return { ...none, [kind]: (await kinds[kind].read(db, projectId)).entries }
  const flag = await findFlag(db, projectId, key)
  return flag === undefined ? none : { ...none, flags: await readFlags(db, projectId, [flag]) }
}

async function readFlags(
  db: Queryable,
  projectId: string,
  rows: readonly FlagRow[],
): Promise<Map<string, SavedFlag>> {
  const emails = await readEmails(db, rows)
  const teamKeys = await readTeamKeys(db, rows)
  const found = new Map<string, SavedFlag>()
  for (const row of rows) {
    found.set(row.key, {
      name: row.name,
      description: row.description,
      valueType: row.valueType,
      variations: row.variations,
      valueSchema: row.valueSchema,
      tags: row.tags,
      owners: row.owners.flatMap((id) => emails.get(id) ?? []).sort(),
      ownerTeams: row.ownerTeams.flatMap((id) => teamKeys.get(id) ?? []).sort(),
      permanent: row.permanent,
      removeBy: row.removeBy,
      clientVisible: row.clientVisible,
      environments: {},
      isArchived: row.archivedAt !== null,
    })
  }
  const [only] = rows.length === 1 ? rows : []
  const configs = await findConfigs(db, projectId, only === undefined ? {} : { flagIds: [only.id] })
  for (const { flag, env, config } of configs) {
    const saved = found.get(flag.key)
    if (saved !== undefined) saved.environments[env] = draftOf(config)
  }
  return found
}

async function readEmails(db: Queryable, rows: readonly FlagRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ owners }) => owners))]
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(found.map(({ id, email }) => [id, email]))
}

async function readTeamKeys(db: Queryable, rows: readonly FlagRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ ownerTeams }) => ownerTeams))]
  if (ids.length === 0) return new Map()
  const found = await db.select({ id: teams.id, key: teams.key }).from(teams).where(inArray(teams.id, ids))
  return new Map(found.map(({ id, key }) => [id, key]))
}

async function readSegments(db: Queryable, projectId: string): Promise<Map<string, SegmentContent>> {
  const rows = await db
    .select()
    .from(segments)
    .where(eq(segments.projectId, projectId))
    .orderBy(asc(segments.key))
  return new Map(
    rows.map(({ key, name, description, conditions }) => [key, { name, description, when: conditions }]),
  )
}
