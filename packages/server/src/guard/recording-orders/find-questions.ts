// What may need recordings: running rollouts, splits without a guard that seem to harm, and fresh issues.

import { recordingLimits } from '@telltale/core/recording-limits'
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags, splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'
import { type SplitSeen, unguardedSplits } from '../../platform/engines/postgres/unguarded-schema.ts'

export interface FoundSplit {
  kind: 'rollout' | 'suspect'
  id: string
  flag: string
  /** Of the sessions with the flag, the share that each compared variation gets now. */
  arms: { variation: string; share: number }[]
}

export interface FoundIssue {
  kind: 'issue'
  id: string
  name: string
  /** Groups of its errors, as in the events. */
  groups: string[]
}

export interface RecordedEnvironment {
  id: string
  sampling: { session: number; replay: number; profile: number }
  splits: FoundSplit[]
  issues: FoundIssue[]
}

const { orderFresh, orderIssuesAtMost } = recordingLimits

/** Environments that permit orders, with what is open in them. */
export async function findQuestions(db: Queryable, now: Date): Promise<RecordedEnvironment[]> {
  const found = await db
    .select({
      id: environments.id,
      session: environments.samplingSession,
      replay: environments.samplingReplay,
      profile: environments.samplingProfile,
    })
    .from(environments)
    .where(
      and(
        eq(environments.recordingOrders, true),
        gt(environments.samplingSession, 0),
        or(gt(environments.samplingReplay, 0), gt(environments.samplingProfile, 0)),
      ),
    )
  const [running, suspected, fresh] = await Promise.all([
    findRollouts(db),
    findSuspects(db),
    findFresh(db, new Date(now.getTime() - orderFresh.value)),
  ])
  return found.map(({ id, ...sampling }) => ({
    id,
    sampling,
    splits: [...(running.get(id) ?? []), ...(suspected.get(id) ?? [])],
    issues: (fresh.get(id) ?? []).slice(0, orderIssuesAtMost.value),
  }))
}

async function findRollouts(db: Queryable): Promise<Map<string, FoundSplit[]>> {
  const rows = await db
    .select({
      environmentId: rollouts.environmentId,
      id: rollouts.id,
      flag: flags.key,
      control: rollouts.control,
      treatment: rollouts.treatment,
      overlay: rollouts.overlay,
    })
    .from(rollouts)
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(isNotNull(rollouts.overlay))
    .orderBy(rollouts.id)
  return byEnvironment(
    rows.flatMap(({ overlay, environmentId, id, flag, control, treatment }) => {
      const arms = sharesOf(overlay?.arms ?? [], [treatment, control])
      return arms.length < 2 ? [] : [{ environmentId, kind: 'rollout' as const, id, flag, arms }]
    }),
  )
}

/** Without an end, on a flag that is in use, and with a metric that is or may be worse. */
async function findSuspects(db: Queryable): Promise<Map<string, FoundSplit[]>> {
  const rows = await db
    .select({
      environmentId: splits.environmentId,
      id: splits.id,
      flag: flags.key,
      arms: splitEpochs.arms,
      seen: unguardedSplits.seen,
    })
    .from(unguardedSplits)
    .innerJoin(splits, eq(splits.id, unguardedSplits.splitId))
    .innerJoin(flags, eq(flags.id, splits.flagId))
    .innerJoin(
      splitEpochs,
      and(eq(splitEpochs.splitId, splits.id), eq(splitEpochs.epoch, unguardedSplits.epoch)),
    )
    .where(and(isNotNull(unguardedSplits.seen), isNull(splitEpochs.endedAt)))
    .orderBy(splits.id)
  return byEnvironment(
    rows.flatMap(({ environmentId, id, flag, arms: given, seen }) => {
      const names = namesOf(seen)
      const arms = sharesOf(given.flatMap(toArm), names)
      return arms.length < 2 ? [] : [{ environmentId, kind: 'suspect' as const, id: String(id), flag, arms }]
    }),
  )
}

function namesOf(seen: SplitSeen | null): string[] {
  const pairs = (seen?.pairs ?? []).filter(
    ({ regressed, findings }) =>
      regressed.length > 0 || findings.some(({ harm }) => harm !== undefined && harm.lower > 0),
  )
  return [...new Set(pairs.flatMap(({ treatment, control }) => [treatment, control]))]
}

const toArm = (arm: object) =>
  'variation' in arm && 'weight' in arm && typeof arm.weight === 'number'
    ? [{ variation: String(arm.variation), weight: arm.weight }]
    : []

function sharesOf(
  arms: readonly { variation: string; weight: number }[],
  names: readonly string[],
): FoundSplit['arms'] {
  const all = arms.reduce((sum, { weight }) => sum + weight, 0)
  // In the order of the names: the treatment first.
  return names.flatMap((name) =>
    arms
      .filter(({ variation, weight }) => weight > 0 && variation === name)
      .map(({ variation, weight }) => ({ variation, share: weight / all })),
  )
}

async function findFresh(db: Queryable, since: Date): Promise<Map<string, FoundIssue[]>> {
  const rows = await db
    .select({
      environmentId: issues.environmentId,
      id: issues.id,
      name: issues.type,
      groups: sql<string[]>`array_agg(${issueGroups.group})`,
    })
    .from(issues)
    .innerJoin(issueGroups, eq(issueGroups.issueId, issues.id))
    .where(
      and(
        isNull(issues.mergedInto),
        inArray(issues.state, ['unresolved', 'regressed']),
        // A regressed issue is fresh while it occurs.
        or(gt(issues.firstSeenAt, since), and(eq(issues.state, 'regressed'), gt(issues.lastSeenAt, since))),
        sql`${issueGroups.group} ~ '^[0-9]+$'`,
      ),
    )
    .groupBy(issues.id)
    .orderBy(desc(issues.firstSeenAt))
  return byEnvironment(rows.map((row) => ({ ...row, kind: 'issue' as const })))
}

function byEnvironment<Found>(rows: readonly (Found & { environmentId: string })[]): Map<string, Found[]> {
  const found = new Map<string, Found[]>()
  for (const row of rows) found.set(row.environmentId, [...(found.get(row.environmentId) ?? []), row])
  return found
}
