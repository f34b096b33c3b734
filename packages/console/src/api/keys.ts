import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/keys'
import { endpoint, request } from './client.ts'

export type SdkKey = ReplyOf<typeof contract.listKeys>['items'][number]
export type NewKey = ReplyOf<typeof contract.createKey>

const listKeys = endpoint<typeof contract.listKeys>('GET', '/api/v1/projects/:project/environments/:env/keys')
const createKeyCall = endpoint<typeof contract.createKey>(
  'POST',
  '/api/v1/projects/:project/environments/:env/keys',
)
const rotateKeyCall = endpoint<typeof contract.rotateKey>(
  'POST',
  '/api/v1/projects/:project/environments/:env/keys/:key/rotate',
)
const revokeKeyCall = endpoint<typeof contract.revokeKey>(
  'DELETE',
  '/api/v1/projects/:project/environments/:env/keys/:key',
)

interface Place {
  project: string
  env: string
}

/** The keys of an environment, newest first, revoked ones included. */
export const keysQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'keys'],
    queryFn: ({ signal }) => request(listKeys, { params: { project, env }, signal }),
  })

export function createKey(
  asked: Place & { draft: BodyOf<typeof contract.createKey>; idempotencyKey: string },
) {
  const { project, env, draft, idempotencyKey } = asked
  return request(createKeyCall, { params: { project, env }, body: draft, idempotencyKey })
}

/** Without `revokeAt` the old key ends now. */
export function rotateKey(
  asked: Place & { key: string; revokeAt: string | undefined; idempotencyKey: string },
) {
  const { project, env, key, revokeAt, idempotencyKey } = asked
  return request(rotateKeyCall, {
    params: { project, env, key },
    body: revokeAt === undefined ? {} : { revokeAt },
    idempotencyKey,
  })
}

export function revokeKey({ project, env, key }: Place & { key: string }) {
  return request(revokeKeyCall, { params: { project, env, key } })
}
