import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { getEnvironment } from '../environments/queries.ts'
import { listRouteRules, type RouteRuleRow } from './queries.ts'
import { deleteRouteRule, setRouteRule } from './set-route-rule.ts'

export const routeRuleRoutes: Handlers<Calls['route-rules'], Services> = {
  async listRouteRules({ db }, { project, params }) {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return { items: (await listRouteRules(db, id)).map(shown) }
  },
  setRouteRule: async ({ db }, { project, origin, params, body }) =>
    shown(await setRouteRule(db, origin, { project: project.row, env: params.env, draft: body })),
  deleteRouteRule: ({ db }, { project, origin, params, query }) =>
    deleteRouteRule(db, origin, { project: project.row, env: params.env, under: query.under }),
}

const shown = ({ under, isMerged, except, isLearned, createdAt }: RouteRuleRow) => ({
  under,
  isMerged,
  except,
  isLearned,
  createdAt: createdAt.toISOString(),
})
