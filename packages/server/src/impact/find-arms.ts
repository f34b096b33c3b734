import type { QueryOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { ComparedArms } from '../evidence/split-question.ts'
import type { ConfigRef } from '../flags/queries.ts'
import type { Services } from '../services.ts'
import { type EpochOfSplit, findEpochs, getEpoch } from './queries.ts'

export type SplitAsked = QueryOf<typeof getFlagImpact>

export interface FoundArms {
  /** The epochs of every split of the flag, the last one first; the oldest split first. */
  splits: EpochOfSplit[][]
  /** Of the split that was asked for, else of the first that has not ended. */
  chosen: { epoch: EpochOfSplit; control: string; comparable: ComparedArms[] } | undefined
}

/** Throws `not-found`. */
export async function findArms(
  { db }: Pick<Services, 'db'>,
  ref: ConfigRef,
  { split, epoch: asked, control: wanted }: SplitAsked,
): Promise<FoundArms> {
  const splits = await findEpochs(db, ref)
  const last = chooseSplit(splits, split)
  if (last === undefined) return { splits, chosen: undefined }

  const epoch = asked === undefined ? last : await getEpoch(db, last.id, Number(asked))
  const arms = epoch.arms
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, limits.impactArms)
  const control = wanted ?? arms[0]?.variation
  const base = arms.find(({ variation }) => variation === control)
  if (control === undefined || base === undefined)
    throw problem('not-found', `The split has no arm "${control}" in epoch ${epoch.epoch}.`)

  const comparable = arms.flatMap(({ variation, weight }): ComparedArms[] =>
    variation === control
      ? []
      : [
          {
            environmentId: ref.environmentId,
            split: String(epoch.id),
            epochs: [{ epoch: epoch.epoch, share: weight / (weight + base.weight) }],
            treatment: variation,
            control,
          },
        ],
  )
  return { splits, chosen: { epoch, control, comparable } }
}

/** Throws `not-found`. */
export async function getArms(
  services: Pick<Services, 'db'>,
  ref: ConfigRef,
  { treatment, ...asked }: SplitAsked & { treatment: string },
): Promise<{ epoch: EpochOfSplit; arms: ComparedArms }> {
  const { chosen } = await findArms(services, ref, asked)
  const arms = chosen?.comparable.find((one) => one.treatment === treatment)
  if (chosen === undefined || arms === undefined)
    throw problem('not-found', `The split has no arm "${treatment}" to compare.`)
  return { epoch: chosen.epoch, arms }
}

function chooseSplit(splits: readonly EpochOfSplit[][], asked: string | undefined): EpochOfSplit | undefined {
  const last = splits.flatMap(([epoch]) => (epoch === undefined ? [] : [epoch]))
  if (asked === undefined) return last.find(({ endedAt }) => endedAt === null) ?? last.at(-1)
  const split = last.find(({ id }) => String(id) === asked)
  if (split === undefined) throw problem('not-found', `The flag has no split ${asked} here.`)
  return split
}
