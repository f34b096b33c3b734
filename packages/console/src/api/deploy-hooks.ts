import { queryOptions } from '@tanstack/react-query'
import { calls } from '@telltale/core/contract/calls'
import { request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'

const of = calls['deploy-hooks']

export const deployHookQuery = ({ project, env }: EnvironmentRef) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'deploy-hook'],
    queryFn: async ({ signal }) =>
      (await request(of.getDeployHook, { params: { project, env }, signal })).hook,
  })

/** Creates it, or gives it a new secret. */
export const putDeployHook = ({ project, env }: EnvironmentRef) =>
  request(of.putDeployHook, { params: { project, env } })

export const deleteDeployHook = ({ project, env }: EnvironmentRef) =>
  request(of.deleteDeployHook, { params: { project, env } })
