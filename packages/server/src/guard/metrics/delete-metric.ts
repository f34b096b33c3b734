import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { metrics } from '../../platform/engines/postgres/metric-schema.ts'
import { auditedMetric } from './metric.ts'
import { findTemplatesUsing, getOwnMetric } from './queries.ts'

interface MetricRef {
  project: { id: string; key: string }
  key: string
}

export const deleteMetric = change(async ({ db }, { project, key }: MetricRef) => {
  await lockProject(db, project.id)
  const before = await getOwnMetric(db, project.id, key)
  const templates = await findTemplatesUsing(db, project.id, before.key)
  if (templates.length > 0) {
    const named = templates.map((template) => `"${template}"`).join(', ')
    throw problem('in-use', `Rollout templates use this metric: ${named}. Remove it from them first.`)
  }
  await db.delete(metrics).where(eq(metrics.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'metric.delete',
        entity: { kind: 'metric', id: before.id, name: before.key },
        project,
        before: auditedMetric(before),
      },
    ],
  }
})
