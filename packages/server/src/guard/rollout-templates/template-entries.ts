// Rollout templates as entries of flags as code.

import type { CodeRolloutTemplate } from '@telltale/core/contract/code-document'
import { problem } from '@telltale/core/errors'
import { faultsOfStages } from '@telltale/core/guard/plan-faults'
import { limits } from '@telltale/core/limits'
import type { EntryKind } from '../../release/flags-as-code/entry-kinds.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkTemplate } from './check-template.ts'
import { createTemplate, usualTemplate } from './create-template.ts'
import { deleteTemplate } from './delete-template.ts'
import { findTemplate, findTemplates } from './queries.ts'
import { auditedTemplate } from './template.ts'
import { updateTemplate } from './update-template.ts'

export const templateEntries: EntryKind<CodeRolloutTemplate> = {
  read: async (db, projectId) => {
    const entries = (await findTemplates(db, projectId)).map((row): [string, CodeRolloutTemplate] => {
      const { key, ...template } = auditedTemplate(row)
      return [key, template]
    })
    return { entries: new Map(entries), leftOut: [] }
  },
  complete: (template) => {
    const errors = faultsOfStages(template.stages, limits.weightTotal)
    if (errors.length > 0) throw problem('invalid-request', { errors })
    return { ...usualTemplate, ...template }
  },
  compact: ({ description, alpha, timeBox, whenUndecided, freshDraw, ...template }) => ({
    ...template,
    ...(description && { description }),
    ...(alpha !== usualTemplate.alpha && { alpha }),
    ...(timeBox !== usualTemplate.timeBox && { timeBox }),
    ...(whenUndecided !== usualTemplate.whenUndecided && { whenUndecided }),
    ...(freshDraw && { freshDraw }),
  }),
  check: async (db, { project, entry, made }) => {
    const definitions = await definitionsOf({ db }, project.id)
    const others = definitions.filter(({ key }) => !made.metrics.has(key))
    const own = [...made.metrics].map(([key, { better }]) => ({ key, better }))
    checkTemplate(entry, [...others, ...own])
  },
  write: async (context, { project, key, after }) => {
    if (after === undefined) return (await deleteTemplate.verb(context, { project, key })).changes
    const existing = await findTemplate(context.db, project.id, key)
    const done =
      existing === undefined
        ? await createTemplate.verb(context, { project, draft: { key, ...after } })
        : await updateTemplate.verb(context, { project, key, draft: after, ifMatch: undefined })
    return done.changes
  },
}
