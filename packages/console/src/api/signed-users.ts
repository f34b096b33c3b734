import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/signed-users'
import { request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'

const of = calls['signed-users']

export type SignedUsers = ReplyOf<typeof contract.getSignedUsers>
export type SigningSecret = SignedUsers['secrets'][number]

/** Whether browsers must send signed users, the secrets, and the counts of the last days. */
export const signedUsersQuery = ({ project, env }: EnvironmentRef) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'signed-users'],
    queryFn: ({ signal }) => request(of.getSignedUsers, { params: { project, env }, signal }),
  })

export const setSignedUsers = ({ project, env, mode }: EnvironmentRef & Pick<SignedUsers, 'mode'>) =>
  request(of.setSignedUsers, { params: { project, env }, body: { mode } })

export const createSigningSecret = ({
  project,
  env,
  idempotencyKey,
}: EnvironmentRef & { idempotencyKey: string }) =>
  request(of.createSigningSecret, { params: { project, env }, idempotencyKey })

export const revokeSigningSecret = ({ project, env, id }: EnvironmentRef & { id: string }) =>
  request(of.revokeSigningSecret, { params: { project, env, signingSecret: id } })
