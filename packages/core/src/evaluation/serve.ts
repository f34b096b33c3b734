// Compiles what a rule serves: one variation or a split. All results are created here, once.

import type { Arm, LayerShare, Serve, Split } from '../contract/flag-config.ts'
import type { Evaluation, FlagStep } from '../contract/trace.ts'
import { limits } from '../limits.ts'
import { bucketingOf, positionOf } from './bucket.ts'
import { type Attribute, type Context, readerOf, unitFrom } from './context.ts'
import { identityKeyOf, percentageOf } from './flagsmith-bucket.ts'
import { show } from './trace.ts'
import { Unusable } from './unusable.ts'

export type Serving = (context: Context, steps: FlagStep[] | undefined) => Evaluation

/** Creates the result for a variation, with the reason and further fields. */
export type Answers = (
  variation: string,
  more: Pick<Evaluation, 'reason'> & Partial<Evaluation>,
) => Evaluation

export interface ServeOptions {
  salt: string
  answers: Answers
  /** The reason when a single variation is served. */
  reason: 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH'
  ruleId?: string
}

export const failure: Evaluation = {
  value: undefined,
  variation: undefined,
  reason: 'ERROR',
  ruleId: undefined,
  split: undefined,
  prerequisite: undefined,
  overridden: false,
  errorCode: 'GENERAL',
}

export function compileServe(serve: Serve, options: ServeOptions): Serving {
  if ('split' in serve) {
    const { split } = serve
    const serving = compileSplit(split, options)
    return split.layer === undefined ? serving : compileLayer(split.layer, serving, options)
  }

  const { variation } = serve
  const answer = options.answers(variation, { reason: options.reason, ruleId: options.ruleId })
  return (_context, steps) => {
    steps?.push({ kind: 'variation', variation })
    return answer
  }
}

/** An interval of positions and the result for units in it. */
interface Slot {
  /** Exclusive. */
  end: number
  answer: Evaluation
  ranges: Arm['ranges']
}

function compileSplit(split: Split, { salt, answers, ruleId }: ServeOptions): Serving {
  const { id, epoch, by, bucketing } = split
  const origin = Object.freeze({ id, epoch, by })
  const missing: Evaluation = Object.freeze({
    ...failure,
    errorCode: 'TARGETING_KEY_MISSING',
    ruleId,
    split: origin,
  })
  const answerOf = (variation: string) => answers(variation, { reason: 'SPLIT', ruleId, split: origin })
  const slots = bucketing === undefined ? slotsOf(split, answerOf) : percentageSlotsOf(split, answerOf)
  const draw = bucketing === undefined ? nativeDraw(split.salt ?? salt) : flagsmithDraw(bucketing, by)
  const read = readerOf(by)

  return (context, steps) => {
    const value = read(context)
    const unit = unitFrom(value)
    if (unit === undefined) {
      steps?.push(stepOf(split, { value, position: undefined, slot: undefined }))
      return missing
    }
    const position = draw(unit)
    const slot = findSlot(slots, position)
    steps?.push(stepOf(split, { value, position, slot }))
    return slot === undefined ? failure : slot.answer
  }
}

/** The split for users in the layer's share; its control for all others, who do not take part. */
function compileLayer(
  { key, by, salt, ranges, otherwise }: LayerShare,
  inside: Serving,
  { answers, reason, ruleId }: ServeOptions,
): Serving {
  // Unlike a single variation, it depends on the user.
  const outside = answers(otherwise, { reason: reason === 'STATIC' ? 'DEFAULT' : reason, ruleId })
  const bucketing = bucketingOf(salt)
  const read = readerOf(by)

  return (context, steps) => {
    const value = read(context)
    const unit = unitFrom(value)
    const position = unit === undefined ? undefined : positionOf(bucketing, unit)
    const included =
      position !== undefined && ranges.some(([start, end]) => start <= position && position < end)
    steps?.push({ kind: 'layer', layer: key, by, unit: show(value), position, ranges, included })
    if (included) return inside(context, steps)
    steps?.push({ kind: 'variation', variation: otherwise })
    return outside
  }
}

function stepOf(
  split: Split,
  {
    value,
    position,
    slot,
  }: { value: Attribute | undefined; position: number | undefined; slot: Slot | undefined },
): FlagStep {
  const variation = slot?.answer.variation
  return {
    kind: 'split',
    split: split.id,
    by: split.by,
    unit: show(value),
    position,
    variation,
    ranges: slot?.ranges ?? [],
  }
}

function nativeDraw(salt: string): (unit: string) => number {
  const bucketing = bucketingOf(salt)
  return (unit) => positionOf(bucketing, unit)
}

function flagsmithDraw(
  { environmentKey, stateKey }: NonNullable<Split['bucketing']>,
  by: string,
): (unit: string) => number {
  const isIdentity = by === 'targetingKey'
  return (unit) => percentageOf(stateKey, isIdentity ? identityKeyOf(environmentKey, unit) : unit)
}

function slotsOf({ arms }: Split, answerOf: (variation: string) => Evaluation): Slot[] {
  const slots = arms
    .flatMap(({ variation, ranges }) => {
      const answer = answerOf(variation)
      return ranges.map(([start, end]) => ({ start, end, answer, ranges }))
    })
    .sort((left, right) => left.start - right.start)
  let reached = 0
  for (const { start, end } of slots) {
    if (start !== reached || end <= start)
      throw new Unusable('The ranges of the split leave a gap or overlap.')
    reached = end
  }
  if (reached !== limits.weightTotal) throw new Unusable('The ranges of the split leave a gap.')
  return slots
}

/** Variants by id, as running sums of percentages; the last arm, Flagsmith's control, takes the rest. */
function percentageSlotsOf({ arms }: Split, answerOf: (variation: string) => Evaluation): Slot[] {
  const ordered = [...arms].sort((left, right) => priorityOf(left) - priorityOf(right))
  let end = 0
  return ordered.map(({ variation, weight, allocation = percentOf(weight), ranges }, index) => {
    end = index === ordered.length - 1 ? Number.POSITIVE_INFINITY : end + allocation
    return { end, answer: answerOf(variation), ranges }
  })
}

function priorityOf({ optionId }: Arm): number {
  return optionId ?? Number.MAX_SAFE_INTEGER
}

/** One division, so that 33 330 becomes the same double as the 33.33 that Flagsmith adds up. */
function percentOf(weight: number): number {
  return weight / (limits.weightTotal / 100)
}

function findSlot(slots: readonly Slot[], position: number): Slot | undefined {
  let low = 0
  let high = slots.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (position < (slots[middle]?.end ?? 0)) high = middle
    else low = middle + 1
  }
  return slots[low]
}
