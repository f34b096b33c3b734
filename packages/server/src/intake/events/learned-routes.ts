// The route of a path, by its shape and by the rules of the environment; learns new rules on the way. A new rule
// applies at once on this server, and on the others once it is stored and announced.

import { limits } from '@telltale/core/limits'
import { createRouteLearner, type RouteLearner } from '@telltale/core/telemetry/route-learner'
import {
  type MergedRoutes,
  mergedRoutes,
  mergeRoute,
  type RouteRule,
} from '@telltale/core/telemetry/route-rules'
import { routeTemplate } from '@telltale/core/telemetry/route-template'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'

export type RoutedEnvironment = Pick<KnownEnvironment, 'id' | 'routes'>
export type RouteOf = (environment: RoutedEnvironment, path: string) => string

interface Learning {
  rules: KnownEnvironment['routes']
  /** Learned on this server and not yet among the rules. */
  fresh: RouteRule[]
  merged: MergedRoutes
  learner: RouteLearner
}

const environmentsRemembered = 1_000

/** `store` returns whether the rule was kept; one that was not is learned again later. */
export function createLearnedRoutes(
  store: (environmentId: string, rule: RouteRule) => Promise<boolean>,
): RouteOf {
  const learned = new Map<string, Learning>()

  const learningOf = ({ id, routes }: RoutedEnvironment): Learning => {
    const known = learned.get(id)
    if (known !== undefined && known.rules === routes) return known
    if (known === undefined && learned.size >= environmentsRemembered) learned.clear()
    const isStored = (rule: RouteRule) => routes?.some(({ under }) => under === rule.under) === true
    const fresh = known?.fresh.filter((rule) => !isStored(rule)) ?? []
    const learning: Learning = {
      rules: routes,
      fresh,
      merged: mergedRoutes([...(routes ?? []), ...fresh]),
      learner: known?.learner ?? createRouteLearner((under) => isDecided(id, under), limitsOfLearning),
    }
    learned.set(id, learning)
    return learning
  }
  const isDecided = (id: string, under: string) => {
    const { rules = [], fresh = [] } = learned.get(id) ?? {}
    return [rules, fresh].some((list) => list.some((rule) => rule.under === under))
  }
  const forget = (id: string, rule: RouteRule) => {
    const learning = learned.get(id)
    if (learning === undefined) return
    learning.fresh = learning.fresh.filter((one) => one !== rule)
    learning.merged = mergedRoutes([...(learning.rules ?? []), ...learning.fresh])
  }
  const keep = async (id: string, rule: RouteRule) => {
    if (!(await store(id, rule))) forget(id, rule)
  }

  return (environment, path) => {
    const learning = learningOf(environment)
    const route = mergeRoute(routeTemplate(path), learning.merged)
    const rule = learning.learner.observe(route)
    if (rule === undefined) return route
    if ((learning.rules?.length ?? 0) + learning.fresh.length >= limits.routeRules) return route
    learning.fresh.push(rule)
    learning.merged = mergedRoutes([...(learning.rules ?? []), ...learning.fresh])
    void keep(environment.id, rule)
    return mergeRoute(route, learning.merged)
  }
}

const limitsOfLearning = {
  segments: limits.routeSegments,
  firstSegments: limits.routeFirstSegments,
  remembered: limits.routeSegmentsRemembered,
}
