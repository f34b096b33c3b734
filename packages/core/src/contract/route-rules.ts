// Which path segments are ids: pages and requests of the same shape share one row in every list.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Instant, Nothing, Strict } from './parameters.ts'

const under = Type.String({
  maxLength: limits.routeLength,
  pattern: '^(/[^/?#\\s\\u0000-\\u001f]+)*$',
  description: 'The parent route, such as `/orders` or `/teams/:id/members`; empty for the first segment.',
})
const rule = {
  under,
  isMerged: Type.Boolean({
    description: '`true`: segments at this position become `:id`. `false`: they are kept.',
  }),
  except: Type.Array(
    Type.String({ minLength: 1, maxLength: limits.routeLength, pattern: '^[^/?#\\s\\u0000-\\u001f]+$' }),
    { maxItems: 100, uniqueItems: true, description: 'Segments that are always kept, such as `new`.' },
  ),
}

export const RouteRule = Type.Object({
  ...rule,
  isLearned: Type.Boolean({
    description: 'Learned from the number of different segments, and not edited.',
  }),
  createdAt: Instant,
})

const path = '/api/v1/projects/:project/environments/:env/route-rules'

export const listRouteRules = call({
  method: 'GET',
  path,
  summary: 'List the rules that decide which segments of addresses are ids, by route.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(RouteRule) }),
})

export const setRouteRule = call({
  method: 'PUT',
  path,
  summary: 'Set the rule for one position. It applies to new events, and to stored ones when they are read.',
  permission: 'environments.manage',
  body: Strict({ under: rule.under, isMerged: rule.isMerged, except: Type.Optional(rule.except) }),
  reply: RouteRule,
  errors: ['in-use'],
})

export const deleteRouteRule = call({
  method: 'DELETE',
  path,
  summary: 'Delete the rule for one position. It may be learned again.',
  permission: 'environments.manage',
  status: 204,
  query: Strict({ under }),
  reply: Nothing,
  errors: ['not-found'],
})

export const routeRuleCalls = { listRouteRules, setRouteRule, deleteRouteRule }
