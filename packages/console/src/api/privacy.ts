import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/privacy'
import { endpoint, request } from './client.ts'

export type Erasure = ReplyOf<typeof contract.erasePerson>
export type ErasedPerson = BodyOf<typeof contract.erasePerson>

const path = '/api/v1/projects/:project/environments/:env/erasures'
const listCall = endpoint<typeof contract.listErasures>('GET', path)
const eraseCall = endpoint<typeof contract.erasePerson>('POST', path)

/** While one waits for the telemetry store. */
const waitingInterval = 2_000

export const erasuresQuery = ({ project, env }: { project: string; env: string }) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'erasures'],
    queryFn: ({ signal }) => request(listCall, { params: { project, env }, query: {}, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.state === 'waiting') ? waitingInterval : false,
  })

export function erasePerson(asked: {
  project: string
  env: string
  person: ErasedPerson
  idempotencyKey: string
}) {
  const { project, env, person, idempotencyKey } = asked
  return request(eraseCall, { params: { project, env }, body: person, idempotencyKey })
}
