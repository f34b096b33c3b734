import type { BodyOf } from '@telltale/core/contract/call'
import type { createRolloutTemplate } from '@telltale/core/contract/rollout-templates'
import { problem } from '@telltale/core/errors'
import { usualAlpha } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { rolloutTemplates } from '../../platform/engines/postgres/rollout-template-schema.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkTemplate } from './check-template.ts'
import { findTemplates, type TemplateRow } from './queries.ts'
import { auditedTemplate, toTemplate } from './template.ts'

interface TemplateCreation {
  project: { id: string; key: string }
  draft: BodyOf<typeof createRolloutTemplate>
}

/** What a template has unless it says otherwise. */
export const usualTemplate = {
  description: '',
  alpha: usualAlpha,
  timeBox: limits.guardTimeBox,
  whenUndecided: 'hold',
  freshDraw: false,
} as const

export const createTemplate = change(async ({ db, now }, { project, draft }: TemplateCreation) => {
  await lockProject(db, project.id)
  const existing = await findTemplates(db, project.id)
  if (existing.some(({ key }) => key === draft.key))
    throw problem('already-exists', `The rollout template "${draft.key}" already exists in the project.`)
  if (existing.length >= limits.rolloutTemplatesPerProject) {
    const most = limits.rolloutTemplatesPerProject
    throw problem('in-use', `A project has at most ${most} rollout templates. Delete one first.`)
  }
  checkTemplate(draft, await definitionsOf({ db }, project.id))

  const row: TemplateRow = {
    ...usualTemplate,
    ...draft,
    id: newId(),
    projectId: project.id,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await db.insert(rolloutTemplates).values(row)
  return {
    reply: toTemplate(row),
    changes: [
      {
        action: 'rollout-template.create',
        entity: { kind: 'rollout-template', id: row.id, name: row.key },
        project,
        after: auditedTemplate(row),
      },
    ],
  }
})
