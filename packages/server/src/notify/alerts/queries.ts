import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { alertIncidents, alertRules } from '../../platform/engines/postgres/alert-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'

export type AlertRow = typeof alertRules.$inferSelect
export type IncidentRow = typeof alertIncidents.$inferSelect

/** An alert with its project and environment. */
export interface PlacedAlert {
  row: AlertRow
  environment: { id: string; key: string; timeZone: string }
  project: { id: string; key: string }
}

export interface AlertRef {
  project: { id: string; key: string }
  id: string
}

const placed = (db: Queryable) =>
  db
    .select({
      row: alertRules,
      environment: { id: environments.id, key: environments.key, timeZone: environments.timeZone },
      project: { id: projects.id, key: projects.key },
    })
    .from(alertRules)
    .innerJoin(environments, eq(environments.id, alertRules.environmentId))
    .innerJoin(projects, eq(projects.id, alertRules.projectId))

export async function findAlerts(db: Queryable, projectId: string, env?: string): Promise<PlacedAlert[]> {
  const ofEnvironment = env === undefined ? undefined : eq(environments.key, env)
  return placed(db)
    .where(and(eq(alertRules.projectId, projectId), ofEnvironment))
    .orderBy(sql`array_position(ARRAY['firing', 'no-data', 'ok'], ${alertRules.state})`, alertRules.name)
}

/** Throws `not-found`. */
export async function getAlert(db: Queryable, { project, id }: AlertRef): Promise<PlacedAlert> {
  const [found] = await placed(db).where(and(eq(alertRules.projectId, project.id), eq(alertRules.id, id)))
  if (!found) throw problem('not-found', 'There is no such alert.')
  return found
}

/** Locks the alert against changes and other looks. Throws `not-found`. */
export async function lockAlert(db: Queryable, ref: AlertRef): Promise<PlacedAlert> {
  await db.select({ id: alertRules.id }).from(alertRules).where(eq(alertRules.id, ref.id)).for('update')
  return getAlert(db, ref)
}

/** Claims due alerts; each belongs to one server until its lease expires. */
export async function claimAlerts(db: Db, now: Date, most: number): Promise<AlertRef[]> {
  const at = now.toISOString()
  const until = new Date(now.getTime() + limits.alertLease).toISOString()
  const taken = await db.execute<{ id: string; project_id: string; key: string }>(sql`
    UPDATE alert_rules AS taken SET leased_until = ${until} FROM projects
    WHERE projects.id = taken.project_id AND taken.id IN (
      SELECT id FROM alert_rules
      WHERE next_at <= ${at} AND (leased_until IS NULL OR leased_until <= ${at})
      ORDER BY next_at LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) RETURNING taken.id, taken.project_id, projects.key`)
  return taken.rows.map(({ id, project_id, key }) => ({ id, project: { id: project_id, key } }))
}

export async function findLastIncidents(db: Queryable, projectId: string): Promise<Map<string, Date>> {
  // One index lookup for each alert, because there may be a year of incidents.
  const last = db
    .select({ startedAt: alertIncidents.startedAt })
    .from(alertIncidents)
    .where(eq(alertIncidents.alertId, alertRules.id))
    .orderBy(desc(alertIncidents.id))
    .limit(1)
    .as('last')
  const rows = await db
    .select({ alertId: alertRules.id, startedAt: last.startedAt })
    .from(alertRules)
    .innerJoinLateral(last, sql`true`)
    .where(eq(alertRules.projectId, projectId))
  return new Map(rows.map(({ alertId, startedAt }) => [alertId, startedAt]))
}

export async function findOpenIncident(db: Queryable, alertId: string): Promise<IncidentRow | undefined> {
  const [found] = await db
    .select()
    .from(alertIncidents)
    .where(and(eq(alertIncidents.alertId, alertId), isNull(alertIncidents.endedAt)))
  return found
}

/** Newest first. */
export async function findIncidents(
  db: Queryable,
  alertId: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<IncidentRow[]> {
  return db
    .select()
    .from(alertIncidents)
    .where(
      and(
        eq(alertIncidents.alertId, alertId),
        before === undefined ? undefined : lt(alertIncidents.id, before),
      ),
    )
    .orderBy(desc(alertIncidents.id))
    .limit(count)
}
