import { limits } from '@telltale/core/limits'
import { and, desc, eq, gte, inArray, isNull, lt } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rolloutDecisions, rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'

interface Asked {
  environmentId: string
  flag: string | undefined
  from: number
  to: number
}

/** When rollouts went on to a stage, or came to their end: the newest first. */
export async function findStageSteps(db: Queryable, { environmentId, flag, from, to }: Asked) {
  const { at, stage, action, byName, comment, refused } = rolloutDecisions
  return db
    .select({
      ...{ at, stage, action, byName, comment },
      ...{ flag: flags.key, name: flags.name },
      ...{ rollout: rollouts.id, treatment: rollouts.treatment, draft: rollouts.draft },
    })
    .from(rolloutDecisions)
    .innerJoin(rollouts, eq(rollouts.id, rolloutDecisions.rolloutId))
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(
      and(
        eq(rollouts.environmentId, environmentId),
        inArray(action, ['advance', 'complete']),
        isNull(refused),
        gte(at, new Date(from)),
        lt(at, new Date(to)),
        flag === undefined ? undefined : eq(flags.key, flag),
      ),
    )
    .orderBy(desc(at))
    .limit(limits.flagChangesListed + 1)
}
