// The environment a call is about, where the caller's role may be another one: it is in the path, or it is that of
// the entity in the path.

import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { validate as isId } from 'uuid'
import { alertRules } from '../platform/engines/postgres/alert-schema.ts'
import { changeRequests, scheduledChanges } from '../platform/engines/postgres/change-schema.ts'
import { experiments } from '../platform/engines/postgres/experiment-schema.ts'
import { holdouts } from '../platform/engines/postgres/holdout-schema.ts'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { rollouts } from '../platform/engines/postgres/rollout-schema.ts'
import { environments } from '../platform/engines/postgres/schema.ts'

export type PathValues = Readonly<Record<string, string | undefined>>

type Entity = PgTable & { environmentId: PgColumn }

/** By path parameter. */
const entities: Readonly<Record<string, { table: Entity; named: (value: string) => SQL | undefined }>> = {
  rollout: { table: rollouts, named: byId(rollouts.id) },
  experiment: { table: experiments, named: byId(experiments.id) },
  changeRequest: { table: changeRequests, named: byId(changeRequests.id) },
  scheduledChange: { table: scheduledChanges, named: byId(scheduledChanges.id) },
  alert: { table: alertRules, named: byId(alertRules.id) },
  holdout: { table: holdouts, named: (key) => eq(holdouts.key, key) },
}

function byId(column: PgColumn) {
  return (value: string) => (isId(value) ? eq(column, value) : undefined)
}

/** The key of the environment; undefined for calls about the project as a whole, or about nothing that exists. */
export async function findCallEnvironment(
  db: Queryable,
  project: { id: string },
  path: PathValues,
): Promise<string | undefined> {
  if (path.env !== undefined) return path.env
  for (const [name, { table, named }] of Object.entries(entities)) {
    const value = path[name]
    const condition = value === undefined ? undefined : named(value)
    if (condition === undefined) continue
    const [found] = await db
      .select({ key: environments.key })
      .from(table)
      .innerJoin(environments, eq(environments.id, table.environmentId))
      .where(and(eq(environments.projectId, project.id), condition))
    return found?.key
  }
  return undefined
}
