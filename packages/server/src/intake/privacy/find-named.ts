// Configuration that contains a user ID: it stays until a member changes it, so the receipt lists where it is.

import { sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

interface Named {
  projectId: string
  environmentId: string
  ids: readonly string[]
}

/** Such as `flag checkout`, sorted; including saved versions. */
export async function findNamed(db: Queryable, { projectId, environmentId, ids }: Named): Promise<string[]> {
  if (ids.length === 0) return []
  const quoted = ids.map((id) => JSON.stringify(id))
  const names = (text: ReturnType<typeof sql>) =>
    sql`EXISTS (SELECT FROM jsonb_array_elements_text(${JSON.stringify(quoted)}::jsonb) AS given(id) WHERE position(given.id in ${text}) > 0)`
  const { rows } = await db.execute<{ name: string }>(sql`
    SELECT DISTINCT 'flag ' || f.key AS name
    FROM flags f
    WHERE f.project_id = ${projectId} AND (
      EXISTS (SELECT FROM flag_configs c WHERE c.flag_id = f.id AND c.environment_id = ${environmentId}
        AND ${names(sql`c.rules::text`)})
      OR EXISTS (SELECT FROM flag_config_versions v WHERE v.flag_id = f.id AND v.environment_id = ${environmentId}
        AND ${names(sql`v.config::text`)})
      OR EXISTS (SELECT FROM change_requests r WHERE r.flag_id = f.id AND r.environment_id = ${environmentId}
        AND ${names(sql`r.proposed::text`)})
      OR EXISTS (SELECT FROM scheduled_changes s WHERE s.flag_id = f.id AND s.environment_id = ${environmentId}
        AND ${names(sql`s.patch::text`)})
    )
    UNION
    SELECT 'segment ' || key FROM segments
    WHERE project_id = ${projectId} AND ${names(sql`conditions::text`)}
    UNION
    SELECT 'alert ' || name FROM alert_rules
    WHERE environment_id = ${environmentId} AND ${namesPlainly(ids, sql`rule::text`)}
    UNION
    SELECT 'metric ' || key FROM metrics
    WHERE project_id = ${projectId} AND ${namesPlainly(ids, sql`filter`)}
    ORDER BY name`)
  return rows.map(({ name }) => name)
}

/** In the filter language, IDs are unquoted words. */
function namesPlainly(ids: readonly string[], text: ReturnType<typeof sql>) {
  const patterns = ids.map(
    (id) => `(^|[^[:alnum:]_])${id.replaceAll(/[^A-Za-z0-9]/g, '\\$&')}($|[^[:alnum:]_])`,
  )
  return sql`EXISTS (SELECT FROM jsonb_array_elements_text(${JSON.stringify(patterns)}::jsonb) AS given(id) WHERE ${text} ~ given.id)`
}
