// Saves the splits of a configuration. A split keeps its row, and its arms keep their bucket ranges, as long as
// its place is the same, so users change variation only as far as the weights change.

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Arm, FlagConfigDraft, LayerShare, Serve, Split } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { assignRanges } from '@telltale/core/evaluation/ranges'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../platform/engines/postgres/open.ts'
import { splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'
import { findLayerShares } from './layer-shares.ts'
import type { ConfigRef, ConfigRow } from './queries.ts'

export type ServeDraft = FlagConfigDraft['fallthrough']

export interface LastEpoch {
  id: bigint
  place: string
  epoch: number
  by: string
  arms: Arm[]
  endedAt: Date | null
}

interface SplitWriter {
  /** The saved serve of a place (a rule's id, or `fallthrough`). */
  write(place: string, draft: ServeDraft): Promise<Serve>
  /** Ends the epochs of places that no longer split. */
  close(): Promise<void>
}

/** The bucketing of a split imported from Flagsmith, with the ids of its variants. */
export interface ImportedSplit {
  bucketing: NonNullable<Split['bucketing']>
  arms: ReadonlyMap<string, Pick<Arm, 'optionId' | 'allocation'>>
}

/** By place: a rule's id, or `fallthrough`. */
export type ImportedSplits = ReadonlyMap<string, ImportedSplit>

interface SplitsWrite {
  ref: ConfigRef
  before: ConfigRow
  now: Date
  imported?: ImportedSplits | undefined
  /** Splits that rollouts serve instead of saved ones, by place: only the rollouts open their epochs. */
  laid: ReadonlyMap<string, Split>
  /** Places whose splits reassign users. */
  freshDraws: readonly string[]
  newEpochs: readonly string[]
}

export async function writeSplits(
  db: Transaction,
  { ref, before, now, laid, imported, freshDraws, newEpochs }: SplitsWrite,
): Promise<SplitWriter> {
  const known = await findLastEpochs(db, ref)
  const shares = await findLayerShares(db, ref)
  const written = new Set<string>()

  return {
    write: async (place, draft) => {
      if ('variation' in draft) return { variation: draft.variation }
      written.add(place)
      const last = known.get(place)
      const own = imported?.get(place)
      const bucketing = own?.bucketing ?? bucketingAt(before, place)
      const given = armsOf(draft.split, last?.arms, own?.arms)
      const arms = bucketing === undefined || own !== undefined ? given : withVariants(given, last?.arms)
      const by = draft.by ?? 'targetingKey'
      const isFresh = freshDraws.includes(place) && bucketing === undefined
      const salt = isFresh ? newSalt() : savedAt(before, place)?.salt
      const split = {
        by,
        arms,
        ...(bucketing === undefined ? {} : { bucketing }),
        ...(salt === undefined ? {} : { salt }),
        ...layerAt(shares, place),
      }

      const served = laid.get(place)
      if (served !== undefined) {
        const saved = savedAt(before, place)
        if (saved !== undefined && isSameSplit(saved, split)) return { split: saved }
        return { split: { id: served.id, epoch: served.epoch, ...split } }
      }
      if (last === undefined) {
        const id = await insertSplit(db, { ...ref, place, createdAt: now })
        await db.insert(splitEpochs).values({ splitId: id, epoch: 1, by, arms, startedAt: now })
        return { split: { id: String(id), epoch: 1, ...split } }
      }
      // A new assignment starts a new epoch, even with the same weights.
      const epoch =
        isFresh || newEpochs.includes(place)
          ? await openEpoch(db, { after: last, by, arms, now })
          : await nextEpoch(db, last, { by, arms, now })
      return { split: { id: String(last.id), epoch, ...split } }
    },
    close: async () => {
      for (const last of known.values()) {
        if (last.endedAt === null && !written.has(last.place)) await endEpoch(db, last.id, now)
      }
    },
  }
}

export async function findLastEpochs(db: Queryable, ref: ConfigRef): Promise<Map<string, LastEpoch>> {
  const rows = await db
    .selectDistinctOn([splits.id], {
      id: splits.id,
      place: splits.place,
      epoch: splitEpochs.epoch,
      by: splitEpochs.by,
      arms: splitEpochs.arms,
      endedAt: splitEpochs.endedAt,
    })
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .where(and(eq(splits.flagId, ref.flagId), eq(splits.environmentId, ref.environmentId)))
    .orderBy(splits.id, desc(splitEpochs.epoch))
  return new Map(rows.map((row) => [row.place, row]))
}

/** The share of a layer in which the split of a place applies. */
export function layerAt(shares: ReadonlyMap<string, LayerShare>, place: string): Pick<Split, 'layer'> {
  const layer = shares.get(place)
  return layer === undefined ? {} : { layer }
}

const newSalt = () => randomBytes(12).toString('base64url')

/** An imported split keeps Flagsmith's bucketing and ids when it is saved later. */
export function bucketingAt(
  before: Pick<ConfigRow, 'rules' | 'fallthrough'>,
  place: string,
): Split['bucketing'] {
  return savedAt(before, place)?.bucketing
}

/** The saved split of a place, if any. */
export function savedAt(config: Pick<ConfigRow, 'rules' | 'fallthrough'>, place: string): Split | undefined {
  const serve =
    place === 'fallthrough' ? config.fallthrough : config.rules.find(({ id }) => id === place)?.serve
  return serve !== undefined && 'split' in serve ? serve.split : undefined
}

/** Keeps the imported data of an arm, and its allocation as long as its weight is unchanged. */
export function armsOf(
  draft: { variation: string; weight: number }[],
  previous: Arm[] | undefined,
  imported?: ImportedSplit['arms'],
): Arm[] {
  return assignRanges(previous, draft).map((arm) => {
    const before = previous?.find(({ variation }) => variation === arm.variation)
    const kept = before?.weight === arm.weight ? before.allocation : undefined
    const { optionId, allocation } = imported?.get(arm.variation) ?? {
      optionId: before?.optionId,
      allocation: kept,
    }
    return {
      ...arm,
      ...(optionId === undefined ? {} : { optionId }),
      ...(allocation === undefined ? {} : { allocation }),
    }
  })
}

/** Flagsmith assigns variants in the order of their ids, so an added variant gets the highest one. */
export function withVariants(arms: Arm[], previous: Arm[] | undefined): Arm[] {
  let last = Math.max(0, ...[...arms, ...(previous ?? [])].map(({ optionId = 0 }) => optionId))
  const isControl = ({ variation }: Arm) =>
    previous?.some((before) => before.variation === variation && before.optionId === undefined) === true
  return arms.map((arm) =>
    arm.optionId !== undefined || isControl(arm) ? arm : { ...arm, optionId: ++last },
  )
}

async function insertSplit(
  db: Transaction,
  row: ConfigRef & { place: string; createdAt: Date },
): Promise<bigint> {
  const [inserted] = await db.insert(splits).values(row).returning({ id: splits.id })
  if (!inserted) throw problem('internal')
  return inserted.id
}

/** Increments the epoch if the weights, the arms or the unit changed, or if the split had ended in between. */
async function nextEpoch(
  db: Transaction,
  last: LastEpoch,
  { by, arms, now }: { by: string; arms: Arm[]; now: Date },
): Promise<number> {
  if (isSameSplit(last, { by, arms }) && last.endedAt === null) return last.epoch
  return openEpoch(db, { after: last, by, arms, now })
}

/** Ends the last epoch of a split and begins the next. */
export async function openEpoch(
  db: Transaction,
  { after: { id, epoch: last }, by, arms, now }: OpenedEpoch,
): Promise<number> {
  await endEpoch(db, id, now)
  await db.insert(splitEpochs).values({ splitId: id, epoch: last + 1, by, arms, startedAt: now })
  return last + 1
}

interface OpenedEpoch {
  after: { id: bigint; epoch: number }
  by: string
  arms: Arm[]
  now: Date
}

interface Weighted {
  by: string
  arms: readonly { variation: string; weight: number }[]
}

/** Whether all users get the same; the order of the arms does not matter. */
export function isSameSplit(one: Weighted, other: Weighted): boolean {
  return one.by === other.by && isDeepStrictEqual(weightsOf(one.arms), weightsOf(other.arms))
}

function weightsOf(arms: Weighted['arms']): Map<string, number> {
  return new Map(arms.map(({ variation, weight }) => [variation, weight]))
}

async function endEpoch(db: Transaction, splitId: bigint, now: Date): Promise<void> {
  await db
    .update(splitEpochs)
    .set({ endedAt: now })
    .where(and(eq(splitEpochs.splitId, splitId), isNull(splitEpochs.endedAt)))
}
