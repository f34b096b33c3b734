// Subjects who get a fixed variation of a flag in one environment, regardless of its rules.

import { Type } from 'typebox'
import { call } from './call.ts'
import { Instant, Key, Nothing, Page, pageQuery, Strict, TargetingKey } from './parameters.ts'

const Override = Type.Object({ targetingKey: TargetingKey, variation: Key, createdAt: Instant })

export const listOverrides = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/overrides',
  summary: 'List the overrides of a flag, by targeting key.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Page(Override),
})

export const putOverride = call({
  method: 'PUT',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/overrides/:targetingKey',
  summary: 'Override the rules with one variation for a targeting key.',
  permission: 'flags.change',
  body: Strict({ variation: Key }),
  reply: Override,
  errors: ['in-use', 'flag-not-found'],
})

export const deleteOverride = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/overrides/:targetingKey',
  summary: 'Remove the override of a targeting key.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
})

export const overrideCalls = { listOverrides, putOverride, deleteOverride }
