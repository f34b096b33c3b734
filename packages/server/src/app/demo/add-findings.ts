// Adds the findings of the demo's guard to its decisions, from the history: each decision closed an epoch, so
// the data of the epochs before it is what the guard would have read.

import { setTimeout as pause } from 'node:timers/promises'
import { judgeAll, nextShareOf } from '@telltale/core/guard/judge-all'
import { findMissingPeople } from '@telltale/core/guard/missing-people'
import { and, asc, eq, gte, isNull, ne } from 'drizzle-orm'
import { readEvidence } from '../../guard/evidence/read-evidence.ts'
import { createExplainer } from '../../guard/rollouts/explain-roll-backs.ts'
import {
  type DecisionRow,
  findEvidenceEpochs,
  findRollouts,
  judgedOf,
  type PlacedRollout,
  planOf,
} from '../../guard/rollouts/queries.ts'
import { keepHistory } from '../../guard/rollouts/store-turn.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import { rolloutDecisions, rolloutHistory, rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import type { Services } from '../../platform/services.ts'
import { addProofs } from './add-proofs.ts'

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'> & { stackMapper: StackMapper }

interface AddFindingsOptions {
  projectId: string
  environmentId: string
  begunAt: Date
  signal: AbortSignal
}

const mostRollouts = 100

export async function addFindings(
  services: Needed,
  { projectId, environmentId, begunAt, signal }: AddFindingsOptions,
): Promise<void> {
  await untilCarried(services, environmentId, signal)
  if (signal.aborted) return
  const all = { projectId, filter: {} }
  const found = await findRollouts(services.db, all, { before: undefined, count: mostRollouts })
  for (const one of found) {
    await forgetEarlyLooks(services, one.row.id, begunAt)
    const decided = await findUntold(services, one.row.id)
    for (const decision of decided) await report(services, one, decision)
  }
  // What a rollout has to prove is known when the rollback before it is explained.
  await createExplainer(services)()
  await addProofs(services, all)
}

const checkPause = 1_000
const checks = 60

/** The history reaches the tables some time after its hand-in: wait until the number of events stops growing. */
async function untilCarried({ telemetry }: Needed, environmentId: string, signal: AbortSignal) {
  let before = -1
  for (let check = 0; check < checks && !signal.aborted; check += 1) {
    const [found] = isUsable(telemetry.state().state)
      ? await telemetry.read<{ all: number }>(
          'SELECT toFloat64(count()) AS all FROM events WHERE environment_id = {environment:UUID}',
          { values: { environment: environmentId } },
        )
      : []
    if (found !== undefined && found.all > 0 && found.all === before) return
    before = found?.all ?? -1
    await pause(checkPause, undefined, { signal }).catch(() => undefined)
  }
}

/** Deletes the guard's looks from while the history was being written, which saw only a part of it. */
async function forgetEarlyLooks({ db }: Needed, rolloutId: string, begunAt: Date): Promise<void> {
  await db
    .delete(rolloutHistory)
    .where(and(eq(rolloutHistory.rolloutId, rolloutId), gte(rolloutHistory.at, begunAt)))
}

/** Decisions of the guard, which were made before their findings could be known. */
async function findUntold({ db }: Needed, rolloutId: string): Promise<DecisionRow[]> {
  const { rolloutId: of, byName, action, id } = rolloutDecisions
  return db
    .select()
    .from(rolloutDecisions)
    .where(and(eq(of, rolloutId), isNull(byName), ne(action, 'start')))
    .orderBy(asc(id))
}

async function report(
  { db, telemetry }: Needed,
  placed: PlacedRollout,
  decision: DecisionRow,
): Promise<void> {
  const { row } = placed
  const { split, environmentId, treatment, control } = row
  const metrics = judgedOf(row)
  const epochs = (await findEvidenceEpochs(db, row)).slice(0, decision.stage + 1)
  if (split === null || epochs.length === 0) return
  const arms = { environmentId, split, epochs, treatment, control }
  const found = await readEvidence(telemetry, arms, metrics)
  const plan = planOf(row)
  const { alpha } = plan
  const nextShare = nextShareOf(plan, decision.stage)
  const missing = findMissingPeople({ exposures: found.exposures.stages, heard: found.heard })
  const findings = judgeAll(metrics, found.metrics, { alpha, nextShare, missing })
  await db.update(rolloutDecisions).set({ findings }).where(eq(rolloutDecisions.id, decision.id))

  const seen = { at: decision.at.toISOString(), units: found.exposures.units, findings }
  const { evidence } = decision
  const standing = { ...row.rollout, stage: decision.stage, evidence }
  await keepHistory(db, { ...placed, row: { ...row, rollout: standing } }, { seen, always: true })
  // For a rollout that still runs, the guard has looked since.
  if (row.endedAt !== null) await db.update(rollouts).set({ seen }).where(eq(rollouts.id, row.id))
}
