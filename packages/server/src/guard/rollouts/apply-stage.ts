// What is served at the place of a rollout: a stage is an epoch of its split, and no version of the configuration. Whoever
// has the treatment keeps it as it grows, because positions are given, never dealt anew.

import type { Split } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { type StageWeights, weightsAt } from '@telltale/core/evaluation/stage-weights'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { armsOf, openEpoch } from '../../release/flags/splits.ts'

/** The split as this stage serves it, in an epoch of its own. */
export async function applyStage(
  db: Transaction,
  { split, stage, now }: { split: Split; stage: StageWeights; now: Date },
): Promise<Split> {
  const weights = weightsAt(split.arms, stage)
  if (weights === undefined) throw problem('internal')
  const arms = armsOf(weights, split.arms)
  const last = { id: BigInt(split.id), epoch: split.epoch }
  const epoch = await openEpoch(db, { after: last, by: split.by, arms, now })
  return { ...split, epoch, arms }
}
