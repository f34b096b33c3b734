// The deploy webhook of an environment: an address that GitHub, or any program that signs its body, reports deploys to.
// Deliveries are no calls of this contract: their form is that of the sender. See server/src/monitoring/deploy-hooks.

import { type Static, Type } from 'typebox'
import { call } from './call.ts'
import { Id, Instant, Nothing, Nullable } from './parameters.ts'

/** Below it: the id of a webhook. */
export const deployHookPath = '/hooks/deploys'

export const DeployHook = Type.Object({
  id: Id,
  url: Type.String(),
  createdBy: Type.String(),
  createdAt: Instant,
  lastDelivery: Nullable(
    Type.Object(
      { at: Instant, result: Type.String({ description: 'In words: what it recorded, or why nothing.' }) },
      { description: 'The last one with a valid signature.' },
    ),
  ),
})
export type DeployHook = Static<typeof DeployHook>

const path = '/api/v1/projects/:project/environments/:env/deploy-hook'

export const getDeployHook = call({
  method: 'GET',
  path,
  summary: 'Show the deploy webhook of an environment, without its secret.',
  permission: 'webhooks.manage',
  reply: Type.Object({ hook: Nullable(DeployHook) }),
})

export const putDeployHook = call({
  method: 'PUT',
  path,
  summary: 'Create the deploy webhook of an environment. If it has one: replace its secret, not its address.',
  permission: 'webhooks.manage',
  reply: Type.Object({
    hook: DeployHook,
    secret: Type.String({ description: 'Signs deliveries. Shown only once.' }),
  }),
})

export const deleteDeployHook = call({
  method: 'DELETE',
  path,
  summary: 'Delete the deploy webhook of an environment. Deploys that it recorded stay.',
  permission: 'webhooks.manage',
  status: 204,
  reply: Nothing,
})

export const deployHookCalls = { getDeployHook, putDeployHook, deleteDeployHook }
