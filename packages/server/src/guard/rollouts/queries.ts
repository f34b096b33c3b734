import type { Split } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { newRollout, type Rollout, type RolloutPlan } from '@telltale/core/guard/rollout'
import { requiredBy } from '@telltale/core/guard/rollout-proof'
import { limits } from '@telltale/core/limits'
import type { RolloutState } from '@telltale/core/states/rollout'
import { and, asc, desc, eq, gte, inArray, isNotNull, lt, lte, notExists, sql } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  rolloutDecisions,
  rolloutEvidence,
  rolloutHistory,
  rollouts,
} from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags, projects, splitEpochs } from '../../platform/engines/postgres/schema.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import type { ComparedEpoch } from '../evidence/split-question.ts'

export type RolloutRow = typeof rollouts.$inferSelect
export type DecisionRow = typeof rolloutDecisions.$inferSelect

/** A rollout with its project, environment and flag. */
export interface PlacedRollout {
  row: RolloutRow
  project: { id: string; key: string }
  environment: { id: string; key: string }
  flag: { id: string; key: string; name: string; archivedAt: Date | null }
}

const placed = (db: Queryable) =>
  db
    .select({
      row: rollouts,
      project: { id: projects.id, key: projects.key },
      environment: { id: environments.id, key: environments.key },
      flag: { id: flags.id, key: flags.key, name: flags.name, archivedAt: flags.archivedAt },
    })
    .from(rollouts)
    .innerJoin(projects, eq(projects.id, rollouts.projectId))
    .innerJoin(environments, eq(environments.id, rollouts.environmentId))
    .innerJoin(flags, eq(flags.id, rollouts.flagId))

/** Started and not ended: an overlay replaces the saved split. */
const isRunning = isNotNull(rollouts.overlay)

/** Throws `not-found`. */
export async function getRollout(db: Queryable, projectId: string, id: string): Promise<PlacedRollout> {
  const [found] = await placed(db).where(and(eq(rollouts.projectId, projectId), eq(rollouts.id, id)))
  if (!found) throw problem('not-found', 'There is no such rollout.')
  return found
}

/** Locks the rollout and all flags of its project against changes. Throws `not-found`. */
export async function lockRollout(db: Queryable, projectId: string, id: string): Promise<PlacedRollout> {
  await lockProject(db, projectId)
  const [found] = await placed(db)
    .where(and(eq(rollouts.projectId, projectId), eq(rollouts.id, id)))
    .for('update', { of: rollouts })
  if (!found) throw problem('not-found', 'There is no such rollout.')
  return found
}

/** Running rollouts of the installation or of one flag; oldest first. */
export async function findRunning(
  db: Queryable,
  { flagId, environmentId, projectId }: Partial<ConfigRef> & { projectId?: string } = {},
): Promise<PlacedRollout[]> {
  return placed(db)
    .where(
      and(
        isRunning,
        flagId === undefined ? undefined : eq(rollouts.flagId, flagId),
        environmentId === undefined ? undefined : eq(rollouts.environmentId, environmentId),
        projectId === undefined ? undefined : eq(rollouts.projectId, projectId),
      ),
    )
    .orderBy(asc(rollouts.id))
}

/** The rollout of a split that started last, unless its weights were set by hand since. */
export async function findLastOfSplit(
  db: Queryable,
  { flagId, environmentId }: ConfigRef,
  split: string,
): Promise<RolloutRow | undefined> {
  const [row] = await db
    .select()
    .from(rollouts)
    .where(
      and(
        eq(rollouts.flagId, flagId),
        eq(rollouts.environmentId, environmentId),
        eq(rollouts.split, split),
        isNotNull(rollouts.startedAt),
      ),
    )
    .orderBy(desc(rollouts.startedAt))
    .limit(1)
  return row
}

export interface RolloutFilter {
  state?: RolloutState | 'running-any' | 'ended'
  env?: string
  flag?: string
}

/** Newest first. */
export async function findRollouts(
  db: Queryable,
  { projectId, filter }: { projectId: string; filter: RolloutFilter },
  { before, count }: { before: string | undefined; count: number },
): Promise<PlacedRollout[]> {
  const { state, env, flag } = filter
  return placed(db)
    .where(
      and(
        eq(rollouts.projectId, projectId),
        before === undefined ? undefined : lt(rollouts.id, before),
        state === undefined ? undefined : isInState(state),
        env === undefined ? undefined : eq(environments.key, env),
        flag === undefined ? undefined : eq(flags.key, flag),
      ),
    )
    .orderBy(desc(rollouts.id))
    .limit(count)
}

function isInState(state: NonNullable<RolloutFilter['state']>) {
  if (state === 'running-any') return isRunning
  if (state === 'ended') return isNotNull(rollouts.endedAt)
  return eq(rollouts.state, state)
}

export async function countDrafts(db: Queryable, { flagId, environmentId }: ConfigRef): Promise<number> {
  return db.$count(
    rollouts,
    and(eq(rollouts.flagId, flagId), eq(rollouts.environmentId, environmentId), eq(rollouts.state, 'draft')),
  )
}

/** Newest first. */
export async function findDecisions(
  db: Queryable,
  rolloutId: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<DecisionRow[]> {
  return db
    .select()
    .from(rolloutDecisions)
    .where(
      and(
        eq(rolloutDecisions.rolloutId, rolloutId),
        before === undefined ? undefined : lt(rolloutDecisions.id, before),
      ),
    )
    .orderBy(desc(rolloutDecisions.id))
    .limit(count)
}

export interface StageStep {
  rolloutId: string
  at: Date
  stage: number
  action: string
  metric: string | null
  byName: string | null
}

/** When stages began and rollouts ended, of these rollouts, in order. */
export async function findStageSteps(db: Queryable, ids: readonly string[]): Promise<StageStep[]> {
  if (ids.length === 0) return []
  const { rolloutId, at, stage, action, metric, byName } = rolloutDecisions
  return db
    .select({ rolloutId, at, stage, action, metric, byName })
    .from(rolloutDecisions)
    .where(
      and(
        inArray(rolloutId, [...ids]),
        inArray(action, ['start', 'advance', 'complete', 'roll-back', 'cancel']),
        sql`${rolloutDecisions.refused} IS NULL`,
      ),
    )
    .orderBy(asc(rolloutDecisions.id))
}

/** The stage that a rollout was in, by its steps, oldest first. */
export function stageAt(steps: readonly StageStep[], at: number): number {
  const entered = steps.findLast(({ action, at: then }) => action === 'advance' && then.getTime() <= at)
  return entered === undefined ? 0 : entered.stage + 1
}

/** The points of charts: of many moments every second, third and so on; always the last one. */
export async function findHistory(db: Queryable, rolloutId: string) {
  const { at, stage, evidence, units, findings } = rolloutHistory
  const all = await db.$count(rolloutHistory, eq(rolloutHistory.rolloutId, rolloutId))
  const step = Math.max(1, Math.ceil(all / limits.rolloutHistoryShown))
  const numbered = db
    .select({
      at,
      stage,
      evidence,
      units,
      findings,
      place: sql<number>`row_number() OVER (ORDER BY ${at} DESC)`.as('place'),
    })
    .from(rolloutHistory)
    .where(eq(rolloutHistory.rolloutId, rolloutId))
    .as('numbered')
  return db
    .select()
    .from(numbered)
    .where(sql`(${numbered.place} - 1) % ${step} = 0`)
    .orderBy(asc(numbered.at))
}

/** The explanation of its rollback, by metric. */
export async function findEvidence(db: Queryable, rolloutId: string) {
  return db
    .select()
    .from(rolloutEvidence)
    .where(eq(rolloutEvidence.rolloutId, rolloutId))
    .orderBy(asc(rolloutEvidence.metric))
}

/** Started and ended rollouts of an environment; newest first. */
export async function findFinished(
  db: Queryable,
  environmentId: string,
  count: number,
): Promise<PlacedRollout[]> {
  return placed(db)
    .where(
      and(
        eq(rollouts.environmentId, environmentId),
        isNotNull(rollouts.startedAt),
        isNotNull(rollouts.endedAt),
        isNotNull(rollouts.split),
      ),
    )
    .orderBy(desc(rollouts.endedAt))
    .limit(count)
}

/** Rolled back in this period after the guard had data, and not explained yet; newest first. */
export async function findUnexplained(
  db: Queryable,
  { from, to, count }: { from: Date; to: Date; count: number },
): Promise<PlacedRollout[]> {
  const isExplained = db
    .select({ id: rolloutEvidence.rolloutId })
    .from(rolloutEvidence)
    .where(eq(rolloutEvidence.rolloutId, rollouts.id))
  return placed(db)
    .where(
      and(
        eq(rollouts.state, 'rolled-back'),
        isNotNull(rollouts.split),
        isNotNull(rollouts.seen),
        gte(rollouts.endedAt, from),
        lte(rollouts.endedAt, to),
        notExists(isExplained),
      ),
    )
    .orderBy(desc(rollouts.endedAt))
    .limit(count)
}

/** The epochs that count as evidence, each with the designed share of the treatment among both arms. */
export async function findEvidenceEpochs(
  db: Queryable,
  { split, firstEpoch, lastEpoch, control, treatment }: RolloutRow,
): Promise<ComparedEpoch[]> {
  if (split === null || firstEpoch === null || lastEpoch === null) return []
  const rows = await db
    .select({ epoch: splitEpochs.epoch, arms: splitEpochs.arms, startedAt: splitEpochs.startedAt })
    .from(splitEpochs)
    .where(
      and(
        eq(splitEpochs.splitId, BigInt(split)),
        gte(splitEpochs.epoch, firstEpoch),
        lte(splitEpochs.epoch, lastEpoch),
      ),
    )
    .orderBy(asc(splitEpochs.epoch))
  return rows.map(({ epoch, arms, startedAt }) => {
    // Only arms are ever stored there.
    const weightOf = (variation: string) =>
      (arms as { variation: string; weight: number }[]).find((arm) => arm.variation === variation)?.weight ??
      0
    const [treated, kept] = [weightOf(treatment), weightOf(control)]
    return { epoch, share: treated + kept > 0 ? treated / (treated + kept) : 0, startedAt }
  })
}

/** The splits served instead of the saved ones, by place. */
export function laidBy(running: readonly PlacedRollout[]): Map<string, Split> {
  return new Map(
    running.flatMap(({ row }) => (row.overlay === null ? [] : [[row.place, row.overlay] as const])),
  )
}

/** The plan of a rollout. */
export function planOf({ draft, startedBy, proof }: RolloutRow): RolloutPlan {
  const { metrics, ...plan } = draft
  return {
    ...plan,
    metrics: [...metrics.map(({ limit: _limit, ...metric }) => metric), ...requiredBy(proof)],
    startedBy: startedBy ?? '',
  }
}

/** Its current state. JSON omits undefined values, so defaults are added. */
export function standingOf({ rollout }: RolloutRow): Rollout {
  return { ...newRollout(), ...rollout }
}

/** Frozen definitions of its metrics, in the order of the plan. */
export function judgedOf({ judged }: RolloutRow): readonly JudgedMetric[] {
  return judged ?? []
}
