// Where a unit met something first, as one number that a minimum can be taken of: the instant, then the stage, then the arm.
// Of two arms at the same instant of one stage neither is preferred: which one is first depends on the unit.
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { ReadSplit } from './split-question.ts'

/** Two bits of arm and nineteen of stage, below the milliseconds. */
const armBits = 4
const placeBits = 2 ** 21

/** SQL for what is later than everything. */
export const nowhere = 'toInt64(9223372036854775807)'

/** SQL of an instant in milliseconds and of an arm: 1 is the treatment, 0 the control, 2 none of both. */
export const firstPlace = (at: string, arm: string) =>
  `${at} * ${placeBits} + toInt64(epoch) * ${armBits} + bitXor(${arm}, toUInt8(unit % 2))`

/** SQL for stage and arm of such a number, below `placeBits`. */
export const placeOf = (first: string) =>
  `toUInt32(bitXor(bitAnd(${first}, ${placeBits - 1}), toUInt8(unit % 2)))`

/** Of several things together: which one stands above the place. */
export const placeOfThing = (thing: string, first: string) =>
  `toUInt32((${thing} - 1) * ${placeBits} + ${placeOf(first)})`

export interface CountedPlace {
  /** From `placeOf`, or `placeOfThing`. */
  place: number
  units: number
}

/** By stage; of the one thing that is asked for. */
export function stagesOf(
  { epochs, stageOf }: Pick<ReadSplit, 'epochs' | 'stageOf'>,
  counted: readonly CountedPlace[],
  thing = 0,
): StageEvents[] {
  const stages = epochs.map(({ share }) => ({ treatment: 0, control: 0, share }))
  for (const { place, units } of counted) {
    if (Math.floor(place / placeBits) !== thing) continue
    const within = place % placeBits
    const stage = stages[stageOf(Math.floor(within / armBits)) ?? -1]
    const side = within % armBits
    if (stage !== undefined && side < 2) stage[side === 1 ? 'treatment' : 'control'] += units
  }
  return stages
}
