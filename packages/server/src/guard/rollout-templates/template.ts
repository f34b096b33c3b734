import type { RolloutTemplate } from '@telltale/core/contract/rollout-templates'
import type { TemplateRow } from './queries.ts'

/** A rollout template as the API returns it. */
export function toTemplate(row: TemplateRow): RolloutTemplate {
  return {
    ...auditedTemplate(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The fields of a rollout template in the audit log. */
export function auditedTemplate({ key, name, description, stages, metrics, ...row }: TemplateRow) {
  const { alpha, timeBox, whenUndecided, freshDraw } = row
  return { key, name, description, stages, metrics, alpha, timeBox, whenUndecided, freshDraw }
}
