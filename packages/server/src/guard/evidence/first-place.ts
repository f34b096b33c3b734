// Where a unit first encountered something, as one number that allows a minimum: instant, then stage, then arm.
// For two arms at the same instant of one stage, the unit's number decides, so that neither arm is preferred.
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { DayEvents } from '@telltale/core/statistics/late-harm'
import type { ReadSplit } from './split-question.ts'

/** Two bits for the arm and nineteen for the stage, below the milliseconds. */
const armBits = 4
const placeBits = 2 ** 21

/** SQL for a value after every instant. */
export const nowhere = 'toInt64(9223372036854775807)'

/** SQL of an instant in milliseconds, an epoch and an arm: 1 is the treatment, 0 the control, 2 neither. */
export const firstPlace = (at: string, epoch: string, arm: string) =>
  `${at} * ${placeBits} + toInt64(${epoch}) * ${armBits} + bitXor(${arm}, toUInt8(unit % 2))`

/** SQL for the stage and arm of such a number, below `placeBits`. */
export const placeSql = (first: string) =>
  `toUInt32(bitXor(bitAnd(${first}, ${placeBits - 1}), toUInt8(unit % 2)))`

const dayMilliseconds = 86_400_000
/** Range of the thing and the place, below the day. */
const dayBits = 2 ** 32

/**
 * For several things: the index of the thing above the place, and the day since 1970 above both. Exact as a
 * double.
 */
export const placeOfThingSql = (thing: string, first: string) =>
  `toFloat64(intDiv(intDiv(${first}, ${placeBits}), ${dayMilliseconds}) * ${dayBits} + (${thing} - 1) * ${placeBits} + ${placeSql(first)})`

export interface CountedPlace {
  /** From `placeOf` or `placeOfThing`. */
  place: number
  units: number
}

/** Of one thing, by the day of the first encounter. */
export function daysOf(
  split: Pick<ReadSplit, 'epochs' | 'stageOf'>,
  counted: readonly CountedPlace[],
  thing: number,
): DayEvents[] {
  const days = new Map<number, CountedPlace[]>()
  for (const { place, units } of counted) {
    const day = Math.floor(place / dayBits)
    const within = place % dayBits
    if (Math.floor(within / placeBits) !== thing) continue
    const known = days.get(day) ?? []
    days.set(day, known)
    known.push({ place: within, units })
  }
  return [...days]
    .sort(([one], [other]) => one - other)
    .map(([day, places]) => ({ day, stages: stagesOf(split, places, thing) }))
}

/** By stage, for the given thing. */
export function stagesOf(
  { epochs, stageOf }: Pick<ReadSplit, 'epochs' | 'stageOf'>,
  counted: readonly CountedPlace[],
  thing = 0,
): StageEvents[] {
  const stages = epochs.map(({ share }) => ({ treatment: 0, control: 0, share }))
  for (const { place, units } of counted) {
    if (Math.floor((place % dayBits) / placeBits) !== thing) continue
    const within = place % placeBits
    const stage = stages[stageOf(Math.floor(within / armBits)) ?? -1]
    const side = within % armBits
    if (stage !== undefined && side < 2) stage[side === 1 ? 'treatment' : 'control'] += units
  }
  return stages
}
