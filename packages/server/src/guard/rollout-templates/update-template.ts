import { isSame } from '@telltale/core/changes/same'
import type { BodyOf } from '@telltale/core/contract/call'
import type { updateRolloutTemplate } from '@telltale/core/contract/rollout-templates'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { rolloutTemplates } from '../../platform/engines/postgres/rollout-template-schema.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkTemplate } from './check-template.ts'
import { getTemplate, type TemplateRow } from './queries.ts'
import { auditedTemplate, toTemplate } from './template.ts'

interface TemplateUpdate {
  project: { id: string; key: string }
  key: string
  draft: BodyOf<typeof updateRolloutTemplate>
  ifMatch: number | undefined
}

/** Changes a template; fields missing from the draft keep their values. */
export const updateTemplate = change(
  async ({ db, now }, { project, key, draft, ifMatch }: TemplateUpdate) => {
    await lockProject(db, project.id)
    const before = await getTemplate(db, project.id, key)
    if (ifMatch !== undefined && ifMatch !== before.version)
      throw problem('version-conflict', { current: toTemplate(before) })
    const merged: TemplateRow = { ...before, ...draft }
    if (isSame(auditedTemplate(merged), auditedTemplate(before)))
      return { reply: toTemplate(before), changes: [] }
    checkTemplate(merged, await definitionsOf({ db }, project.id))

    const after = { ...merged, version: before.version + 1, updatedAt: now }
    await db.update(rolloutTemplates).set(after).where(eq(rolloutTemplates.id, before.id))
    return {
      reply: toTemplate(after),
      changes: [
        {
          action: 'rollout-template.update',
          entity: { kind: 'rollout-template', id: before.id, name: before.key },
          project,
          before: auditedTemplate(before),
          after: auditedTemplate(after),
        },
      ],
    }
  },
)
