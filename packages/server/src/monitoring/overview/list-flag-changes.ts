import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listFlagChanges as listFlagChangesCall } from '@telltale/core/contract/overview'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, gte, inArray, isNull, lt } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rolloutDecisions, rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import { periodOf, readSpan } from '../explore/open-question.ts'
import { findConfigChanges } from './queries.ts'

type Reply = ReplyOf<typeof listFlagChangesCall>
type Change = Reply['changes'][number]
type Saved = Awaited<ReturnType<typeof findConfigChanges>>[number]
type Step = Awaited<ReturnType<typeof findStageSteps>>[number]

export async function listFlagChanges(
  db: Queryable,
  environmentId: string,
  { query, now }: { query: QueryOf<typeof listFlagChangesCall>; now: Date },
): Promise<Reply> {
  const span = readSpan(query, now)
  const requested = { environmentId, flag: query.flag, ...span }
  const saved = await findConfigChanges(db, requested)
  const steps = await findStageSteps(db, requested)
  const ends = new Set(steps.filter(({ action }) => action === 'complete').map(momentOf))
  const found = [
    ...saved.map((change) => ofSaved(change, ends)),
    // The end of a rollout is a version and is already among the saved changes.
    ...steps.filter(({ action }) => action === 'advance').map(ofStep),
  ].toSorted((a, b) => b.at.localeCompare(a.at))
  return {
    ...periodOf(span),
    changes: found.slice(0, limits.flagChangesListed).reverse(),
    more: found.length > limits.flagChangesListed,
  }
}

/** A version and the decision that created it have the same timestamp. */
const momentOf = ({ flag, at }: { flag: string; at: Date }) => `${flag} ${at.getTime()}`

function ofSaved(change: Saved, ends: ReadonlySet<string>): Change {
  const { enabled, wasEnabled, at, actor, ...rest } = change
  const isEnd = ends.has(momentOf(change))
  return {
    ...rest,
    at: at.toISOString(),
    kind: isEnd ? 'passed' : kindOf({ enabled, wasEnabled, byGuard: actor.kind === 'guard' }),
    actor: { kind: actor.kind, name: actor.name },
    stage: null,
  }
}

function kindOf(change: { enabled: boolean; wasEnabled: boolean; byGuard: boolean }): Change['kind'] {
  if (change.byGuard) return 'rolled-back'
  if (change.enabled === change.wasEnabled) return 'changed'
  return change.enabled ? 'turned-on' : 'turned-off'
}

function ofStep({ at, flag, name, byName, comment, rollout, treatment, draft, stage }: Step): Change {
  const weight = draft.stages[stage + 1]?.weight ?? 0
  return {
    at: at.toISOString(),
    flag,
    name,
    version: null,
    kind: 'stage',
    actor: byName === null ? { kind: 'guard', name: 'Guard' } : { kind: 'user', name: byName },
    reason: comment,
    stage: { rollout, treatment, weight },
  }
}

interface FindStageStepsOptions {
  environmentId: string
  flag: string | undefined
  from: number
  to: number
}

/** Stages and ends of rollouts; newest first. */
async function findStageSteps(db: Queryable, { environmentId, flag, from, to }: FindStageStepsOptions) {
  const { at, stage, action, byName, comment, refused } = rolloutDecisions
  return db
    .select({
      at,
      stage,
      action,
      byName,
      comment,
      flag: flags.key,
      name: flags.name,
      rollout: rollouts.id,
      treatment: rollouts.treatment,
      draft: rollouts.draft,
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
