import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { rolloutTemplates } from '../../platform/engines/postgres/rollout-template-schema.ts'
import { getTemplate } from './queries.ts'
import { auditedTemplate } from './template.ts'

interface TemplateRef {
  project: { id: string; key: string }
  key: string
}

export const deleteTemplate = change(async ({ db }, { project, key }: TemplateRef) => {
  await lockProject(db, project.id)
  const before = await getTemplate(db, project.id, key)
  await db.delete(rolloutTemplates).where(eq(rolloutTemplates.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'rollout-template.delete',
        entity: { kind: 'rollout-template', id: before.id, name: before.key },
        project,
        before: auditedTemplate(before),
      },
    ],
  }
})
