// Stores a decision: the state, the entries of the decision log and the changes for the audit log.

import type { Finding } from '@telltale/core/guard/judge-metric'
import type { Turn } from '@telltale/core/guard/rollout'
import { isOfProof } from '@telltale/core/guard/rollout-proof'
import { limits } from '@telltale/core/limits'
import { hasEnded } from '@telltale/core/states/rollout'
import { and, eq, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  rolloutDecisions,
  rolloutHistory,
  rollouts,
  type Seen,
} from '../../platform/engines/postgres/rollout-schema.ts'
import { rulesOf } from './exclusions-of.ts'
import type { DecisionRow, PlacedRollout, RolloutRow } from './queries.ts'

export interface Taking {
  turn: Turn
  /** Further changes of the row. */
  set?: Partial<RolloutRow>
  /** The person who decided; undefined for the guard. */
  by?: { id: string | null; name: string } | undefined
  comment?: string | undefined
  seen?: Seen | undefined
}

/** Writes the turn. The rollout must be locked. Announces the flag if the served values change. */
export async function storeTurn(
  { db, now }: ChangeContext,
  before: PlacedRollout,
  { turn, set = {}, by, comment, seen }: Taking,
): Promise<{ after: PlacedRollout; changes: EntityChange[] }> {
  const { rollout, decisions } = turn
  const ends = hasEnded(rollout.state) && before.row.endedAt === null
  const row: RolloutRow = {
    ...before.row,
    ...set,
    rollout,
    state: rollout.state,
    turn: rollout.turn,
    updatedAt: now,
    ...(seen && { seen }),
    exclusions: rulesOf(rollout, before.row.by),
    ...(ends && { endedAt: now, overlay: null, exclusions: null, leaseHolder: null, leasedUntil: null }),
  }
  await db.update(rollouts).set(row).where(eq(rollouts.id, row.id))
  const after = { ...before, row }
  if (seen !== undefined) await keepHistory(db, after, { seen, always: decisions.length > 0 })
  if (decisions.length === 0) return { after, changes: [] }

  const entries = decisions.map(
    ({ at, stage, action, reason, metric, slice, findings }): DecisionRow => ({
      id: newId(),
      rolloutId: row.id,
      turn: rollout.turn,
      at: new Date(at),
      stage,
      evidence: rollout.evidence,
      action,
      reason,
      metric: metric ?? null,
      slice: slice ?? null,
      state: rollout.state,
      byId: by?.id ?? null,
      byName: by?.name ?? null,
      comment: comment ?? null,
      refused: null,
      findings: findings.filter((finding) => !isOfProof(finding)),
    }),
  )
  await db.insert(rolloutDecisions).values(entries)
  const isServedAnew = before.row.overlay !== row.overlay
  return {
    after,
    changes: entries.map((entry, index) =>
      rolloutChange(entry.action, {
        before: index === 0 ? before : after,
        after,
        comment: comment ?? reasonOf(entry),
        part: isServedAnew && index === 0 ? before.flag.id : undefined,
      }),
    ),
  }
}

/** For the audit log and notifications. */
function reasonOf({ reason, slice }: DecisionRow): string {
  return slice === null ? reason : `${reason} (${slice.attribute}: ${slice.value})`
}

/** A change of a rollout for the audit log and the announcement. */
export function rolloutChange(
  action: string,
  {
    before,
    after,
    comment,
    part,
  }: {
    before?: PlacedRollout | undefined
    after?: PlacedRollout | undefined
    comment?: string | undefined
    part?: string | undefined
  },
): EntityChange {
  const one = after ?? before
  if (one === undefined) throw new Error('A change of a rollout is about one.')
  return {
    action: `rollout.${action}`,
    entity: { kind: 'rollout', id: one.row.id, name: one.flag.key },
    project: one.project,
    environment: one.environment,
    ...(before && { before: audited(before) }),
    ...(after && { after: audited(after) }),
    ...(comment !== undefined && { reason: comment }),
    ...(part !== undefined && { part }),
  }
}

function audited({ row }: PlacedRollout) {
  const { place, control, treatment, by, draft, state, turn, rollout, approvals } = row
  const excluded = rollout.narrowing?.excluded ?? []
  return {
    place,
    control,
    treatment,
    by,
    plan: draft,
    state,
    turn,
    stage: rollout.stage,
    ...(excluded.length > 0 && { excluded: excluded.map(({ slice, until }) => ({ ...slice, until })) }),
    approvals: approvals.map(({ name, version }) => ({ name, version })),
  }
}

/** For charts: a moment every few minutes, and one for each decision. */
export async function keepHistory(
  db: Queryable,
  { row }: PlacedRollout,
  { seen, always }: { seen: Seen; always: boolean },
): Promise<void> {
  const at = new Date(seen.at)
  const since = new Date(at.getTime() - limits.rolloutHistoryStep)
  const recent = await db.$count(
    rolloutHistory,
    and(eq(rolloutHistory.rolloutId, row.id), sql`${rolloutHistory.at} > ${since.toISOString()}`),
  )
  if (recent > 0 && !always) return
  const { stage, evidence } = row.rollout
  const findings: readonly Finding[] = seen.findings
  await db
    .insert(rolloutHistory)
    .values({ rolloutId: row.id, at, stage, evidence, units: seen.units, findings })
    .onConflictDoNothing()
}
