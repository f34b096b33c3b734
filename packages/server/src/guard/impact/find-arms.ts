import type { QueryOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Services } from '../../platform/services.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import { findEvidenceEpochs, findLastOfSplit, type RolloutRow } from '../rollouts/queries.ts'
import { type EpochOfSplit, findEpochs, getEpoch, getOffVariation } from './queries.ts'

export type ImpactSearch = QueryOf<typeof getFlagImpact>

interface FoundArms {
  /** The epochs of every split of the flag, newest first; the oldest split first. */
  splits: EpochOfSplit[][]
  /** For the requested split, or the first one that has not ended. */
  chosen: ChosenArms | undefined
}

export interface ChosenArms {
  split: string
  epochs: { first: number; last: number }
  startedAt: Date
  endedAt: Date | null
  control: string
  /** All with the same control. */
  comparable: ComparedArms[]
  rollout: RolloutRow | undefined
}

/** Throws `not-found`. */
export async function findArms(
  { db }: Pick<Services, 'db'>,
  ref: ConfigRef,
  { split: chosen, epoch: requested, control: wanted }: ImpactSearch,
): Promise<FoundArms> {
  const splits = await findEpochs(db, ref)
  const last = chooseSplit(splits, chosen)
  if (last === undefined) return { splits, chosen: undefined }

  const guarded = requested === undefined ? await findGuarded(db, ref, last) : undefined
  if (guarded !== undefined && (wanted === undefined || wanted === guarded.control))
    return { splits, chosen: guarded }

  const epoch = requested === undefined ? last : await getEpoch(db, last.id, Number(requested))
  const arms = epoch.arms
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, limits.impactArms)
  const split = String(epoch.id)
  const off = wanted === undefined ? await getOffVariation(db, ref) : undefined
  const usual = arms.find(({ variation }) => variation === off) ?? arms[0]
  const control = wanted ?? usual?.variation
  const base = arms.find(({ variation }) => variation === control)
  if (control === undefined || base === undefined)
    throw problem('not-found', `The split has no arm "${control}" in epoch ${epoch.epoch}.`)

  const comparable = arms.flatMap(({ variation, weight }): ComparedArms[] =>
    variation === control
      ? []
      : [
          {
            environmentId: ref.environmentId,
            split,
            epochs: [
              {
                epoch: epoch.epoch,
                share: weight / (weight + base.weight),
                startedAt: epoch.startedAt,
              },
            ],
            treatment: variation,
            control,
          },
        ],
  )
  const { epoch: only, startedAt, endedAt } = epoch
  return {
    splits,
    chosen: {
      split,
      epochs: { first: only, last: only },
      startedAt,
      endedAt,
      control,
      comparable,
      rollout: undefined,
    },
  }
}

/** The latest rollout of a split: all its stages count until the weights are set by hand. */
async function findGuarded(
  db: Services['db'],
  ref: ConfigRef,
  last: EpochOfSplit,
): Promise<ChosenArms | undefined> {
  const split = String(last.id)
  const rollout = await findLastOfSplit(db, ref, split)
  if (rollout === undefined) return undefined
  const { overlay, treatment, control } = rollout
  const epochs = await findEvidenceEpochs(db, rollout)
  const [first, final] = [epochs[0], epochs.at(-1)]
  if (first === undefined || final === undefined) return undefined
  if (overlay === null && last.epoch > final.epoch + 1) return undefined
  const { startedAt } = await getEpoch(db, last.id, first.epoch)
  const { endedAt } = await getEpoch(db, last.id, final.epoch)
  return {
    split,
    epochs: { first: first.epoch, last: final.epoch },
    startedAt,
    endedAt,
    control,
    comparable: [{ environmentId: ref.environmentId, split, epochs, treatment, control }],
    rollout,
  }
}

/** Throws `not-found`. */
export async function getArms(
  services: Pick<Services, 'db'>,
  ref: ConfigRef,
  { treatment, ...requested }: ImpactSearch & { treatment: string },
): Promise<{ chosen: ChosenArms; arms: ComparedArms }> {
  const { chosen } = await findArms(services, ref, requested)
  const arms = chosen?.comparable.find((one) => one.treatment === treatment)
  if (chosen === undefined || arms === undefined)
    throw problem('not-found', `The split has no arm "${treatment}" to compare.`)
  return { chosen, arms }
}

function chooseSplit(
  splits: readonly EpochOfSplit[][],
  requested: string | undefined,
): EpochOfSplit | undefined {
  const last = splits.flatMap(([epoch]) => (epoch === undefined ? [] : [epoch]))
  if (requested === undefined) return last.find(({ endedAt }) => endedAt === null) ?? last.at(-1)
  const split = last.find(({ id }) => String(id) === requested)
  if (split === undefined) throw problem('not-found', `The flag has no split ${requested} here.`)
  return split
}
