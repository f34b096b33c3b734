import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, count, eq } from 'drizzle-orm'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { routeRules } from '../../platform/engines/postgres/route-schema.ts'
import type { EnvironmentRow } from '../environments/queries.ts'
import { lockEnvironment } from '../environments/queries.ts'
import type { RouteRuleRow } from './queries.ts'

interface EnvironmentPath {
  project: { id: string; key: string }
  env: string
}

export interface RouteRuleDraft {
  under: string
  isMerged: boolean
  except?: string[]
}

/** Sets the rule for one position. Throws `not-found`, and `in-use` if there are too many. */
export const setRouteRule = change(
  async ({ db, now }, { project, env, draft }: EnvironmentPath & { draft: RouteRuleDraft }) => {
    const environment = await lockEnvironment(db, { projectId: project.id, key: env })
    const at = and(eq(routeRules.environmentId, environment.id), eq(routeRules.under, draft.under))
    const [before] = await db.select().from(routeRules).where(at)
    if (before === undefined) await requireRoom()
    const after: RouteRuleRow = {
      environmentId: environment.id,
      under: draft.under,
      isMerged: draft.isMerged,
      except: draft.except ?? before?.except ?? [],
      isLearned: false,
      createdAt: now,
    }
    await db
      .insert(routeRules)
      .values(after)
      .onConflictDoUpdate({ target: [routeRules.environmentId, routeRules.under], set: after })
    return { reply: after, changes: [changed({ project, environment }, before, after)] }

    async function requireRoom() {
      const [found] = await db
        .select({ rules: count() })
        .from(routeRules)
        .where(eq(routeRules.environmentId, environment.id))
      if ((found?.rules ?? 0) < limits.routeRules) return
      throw problem('in-use', `An environment has at most ${limits.routeRules} route rules.`)
    }
  },
)

/** Throws `not-found`. */
export const deleteRouteRule = change(
  async ({ db }, { project, env, under }: EnvironmentPath & { under: string }) => {
    const environment = await lockEnvironment(db, { projectId: project.id, key: env })
    const [before] = await db
      .delete(routeRules)
      .where(and(eq(routeRules.environmentId, environment.id), eq(routeRules.under, under)))
      .returning()
    if (before === undefined)
      throw problem('not-found', `There is no rule for the position under "${under}".`)
    return { reply: null, changes: [changed({ project, environment }, before, undefined)] }
  },
)

function changed(
  { project, environment }: { project: { id: string; key: string }; environment: EnvironmentRow },
  before: RouteRuleRow | undefined,
  after: RouteRuleRow | undefined,
): EntityChange {
  return {
    action: after === undefined ? 'environment.delete-route' : 'environment.set-route',
    entity: { kind: 'environment', id: environment.id, name: environment.key },
    project,
    environment,
    ...(before && { before: audited(before) }),
    ...(after && { after: audited(after) }),
  }
}

const audited = ({ under, isMerged, except }: RouteRuleRow) => ({ route: `${under}/:id`, isMerged, except })
