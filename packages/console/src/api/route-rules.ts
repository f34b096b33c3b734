import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/route-rules'
import { endpoint, request } from './client.ts'

export type RouteRule = ReplyOf<typeof contract.listRouteRules>['items'][number]
export type RouteRuleDraft = BodyOf<typeof contract.setRouteRule>

interface Place {
  project: string
  env: string
}

const path = '/api/v1/projects/:project/environments/:env/route-rules'
const listCall = endpoint<typeof contract.listRouteRules>('GET', path)
const setCall = endpoint<typeof contract.setRouteRule>('PUT', path)
const deleteCall = endpoint<typeof contract.deleteRouteRule>('DELETE', path)

export const routeRulesQuery = ({ project, env }: Place) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'route-rules'],
    queryFn: ({ signal }) => request(listCall, { params: { project, env }, signal }),
  })

export function setRouteRule({ draft, ...params }: Place & { draft: RouteRuleDraft }) {
  return request(setCall, { params, body: draft })
}

export function deleteRouteRule({ under, ...params }: Place & { under: string }) {
  return request(deleteCall, { params, query: { under } })
}
