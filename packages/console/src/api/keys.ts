import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/keys'
import { request } from './client.ts'

export type SdkKey = ReplyOf<typeof contract.listKeys>['items'][number]
export type NewKey = ReplyOf<typeof contract.createKey>

interface EnvironmentRef {
  project: string
  env: string
}

/** The keys of an environment, newest first, revoked ones included. */
export const keysQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'keys'],
    queryFn: ({ signal }) => request(calls.keys.listKeys, { params: { project, env }, signal }),
  })

export function createKey(
  requested: EnvironmentRef & { draft: BodyOf<typeof contract.createKey>; idempotencyKey: string },
) {
  const { project, env, draft, idempotencyKey } = requested
  return request(calls.keys.createKey, { params: { project, env }, body: draft, idempotencyKey })
}

/** Without `revokeAt` the old key is revoked immediately. */
export function rotateKey(
  requested: EnvironmentRef & { key: string; revokeAt: string | undefined; idempotencyKey: string },
) {
  const { project, env, key, revokeAt, idempotencyKey } = requested
  return request(calls.keys.rotateKey, {
    params: { project, env, key },
    body: revokeAt === undefined ? {} : { revokeAt },
    idempotencyKey,
  })
}

export function revokeKey({ project, env, key }: EnvironmentRef & { key: string }) {
  return request(calls.keys.revokeKey, { params: { project, env, key } })
}
