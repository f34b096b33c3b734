// Stores a rule learned by the intake. A rule set by a member for the same position is kept.
import { limits } from '@telltale/core/limits'
import type { RouteRule } from '@telltale/core/telemetry/route-rules'
import { count, eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { routeRules } from '../../platform/engines/postgres/route-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import type { Log } from '../../platform/process/log.ts'

interface LearnedRule {
  environmentId: string
  rule: RouteRule
}

const learnRouteRule = change(async ({ db, now }, { environmentId, rule }: LearnedRule) => {
  const [found] = await db
    .select({ environment: environments, project: projects })
    .from(environments)
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(environments.id, environmentId))
  const [stored] = await db
    .select({ rules: count() })
    .from(routeRules)
    .where(eq(routeRules.environmentId, environmentId))
  if (found === undefined || (stored?.rules ?? 0) >= limits.routeRules) return { reply: false, changes: [] }
  const { under, isMerged, except } = rule
  const added = await db
    .insert(routeRules)
    .values({ environmentId, under, isMerged, except: [...except], isLearned: true, createdAt: now })
    .onConflictDoNothing()
    .returning()
  if (added.length === 0) return { reply: true, changes: [] }
  const { environment, project } = found
  return {
    reply: true,
    changes: [
      {
        action: 'environment.learn-route',
        entity: { kind: 'environment', id: environment.id, name: environment.key },
        project,
        environment,
        after: { route: `${under}/:id`, except },
      },
    ],
  }
})

interface Parts {
  db: Db
  log: Log
  clock(): Date
}

/** Returns whether the rule is stored; never throws. */
export async function storeLearnedRule({ db, log, clock }: Parts, learned: LearnedRule): Promise<boolean> {
  const actor = { kind: 'system', id: null, name: 'intake' } as const
  try {
    return await learnRouteRule(db, { actor, requestId: null, now: clock() }, learned)
  } catch (error) {
    log.warn({ err: error, route: `${learned.rule.under}/:id` }, 'a learned route was not stored')
    return false
  }
}
