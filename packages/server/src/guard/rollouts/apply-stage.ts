// Serves a stage of a rollout: a new epoch of its split, without a new version of the configuration. Users with
// the treatment keep it as it grows, because their buckets never change.

import type { Split } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { type StageWeights, weightsAt } from '@telltale/core/evaluation/stage-weights'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { armsOf, openEpoch } from '../../release/flags/splits.ts'

/** The split with the weights of this stage, in a new epoch. */
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
