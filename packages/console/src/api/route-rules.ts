import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/route-rules'
import { request } from './client.ts'

export type RouteRule = ReplyOf<typeof contract.listRouteRules>['items'][number]
export type RouteRuleDraft = BodyOf<typeof contract.setRouteRule>

interface EnvironmentRef {
  project: string
  env: string
}

export const routeRulesQuery = ({ project, env }: EnvironmentRef) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'route-rules'],
    queryFn: ({ signal }) =>
      request(calls['route-rules'].listRouteRules, { params: { project, env }, signal }),
  })

export function setRouteRule({ draft, ...params }: EnvironmentRef & { draft: RouteRuleDraft }) {
  return request(calls['route-rules'].setRouteRule, { params, body: draft })
}

export function deleteRouteRule({ under, ...params }: EnvironmentRef & { under: string }) {
  return request(calls['route-rules'].deleteRouteRule, { params, query: { under } })
}
