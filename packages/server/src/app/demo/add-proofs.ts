// Adds to the demo's rollouts after a rollback what they had to prove, and what the guard would have said of it at the end.

import { judgeProof, type RolloutProof } from '@telltale/core/guard/rollout-proof'
import { eq } from 'drizzle-orm'
import { countHarmed } from '../../guard/evidence/count-harmed.ts'
import { findHarms, freezeProof } from '../../guard/rollouts/find-proof.ts'
import { findEvidenceEpochs, findRollouts, type PlacedRollout } from '../../guard/rollouts/queries.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import type { Services } from '../../platform/services.ts'

type Needed = Pick<Services, 'db' | 'telemetry'>

const mostRollouts = 100

/** Each proves the first rollback of its flag that was explained. */
export async function addProofs(services: Needed, all: { projectId: string; filter: object }): Promise<void> {
  const { db } = services
  const found = await findRollouts(db, all, { before: undefined, count: mostRollouts })
  const oldestFirst = found.toReversed()
  for (const one of oldestFirst) {
    const failed = oldestFirst.find(({ row }) => row.flagId === one.row.flagId && row.state === 'rolled-back')
    if (failed === undefined || failed === one || one.row.id < failed.row.id || one.row.proof !== null)
      continue
    const proof = await freezeProof(db, failed.row)
    if (proof !== undefined && proof.harms.length > 0) await prove(services, one, proof)
  }
}

async function prove({ db, telemetry }: Needed, { row }: PlacedRollout, proof: RolloutProof): Promise<void> {
  const { split, environmentId, treatment, control, seen, endedAt } = row
  const epochs = await findEvidenceEpochs(db, row)
  if (split === null || epochs.length === 0 || seen === null) return
  const arms = { environmentId, split, epochs, treatment, control }
  const harms = await findHarms(db, { proof, environmentId })
  const counts = await countHarmed(telemetry, arms, {
    harms,
    units: seen.units,
    now: endedAt ?? new Date(seen.at),
  })
  const { fixes } = judgeProof({ harms }, counts, 1)
  await db
    .update(rollouts)
    .set({ proof, seen: { ...seen, fixes } })
    .where(eq(rollouts.id, row.id))
}
