import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/rollout-templates'
import { request } from './client.ts'

export type RolloutTemplate = contract.RolloutTemplate
export type RolloutTemplateDraft = BodyOf<typeof contract.createRolloutTemplate>
type TemplateChange = BodyOf<typeof contract.updateRolloutTemplate>

export const rolloutTemplatesKey = (project: string) => ['projects', project, 'rollout-templates']

/** By key. */
export const rolloutTemplatesQuery = (project: string) =>
  queryOptions({
    queryKey: rolloutTemplatesKey(project),
    queryFn: async ({ signal }) =>
      (await request(calls['rollout-templates'].listRolloutTemplates, { params: { project }, signal })).items,
  })

interface Creation {
  project: string
  draft: RolloutTemplateDraft
  idempotencyKey: string
}

export function createRolloutTemplate({ project, draft, idempotencyKey }: Creation) {
  const { createRolloutTemplate: create } = calls['rollout-templates']
  return request(create, { params: { project }, body: draft, idempotencyKey })
}

interface Update {
  project: string
  template: Pick<RolloutTemplate, 'key' | 'version'>
  change: TemplateChange
}

export function updateRolloutTemplate({ project, template, change }: Update) {
  return request(calls['rollout-templates'].updateRolloutTemplate, {
    params: { project, template: template.key },
    body: change,
    ifMatch: template.version,
  })
}

export function deleteRolloutTemplate({ project, template }: { project: string; template: string }) {
  return request(calls['rollout-templates'].deleteRolloutTemplate, { params: { project, template } })
}
