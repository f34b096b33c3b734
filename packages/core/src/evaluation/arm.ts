// Derives the arm of an evaluation. On demand, because most evaluations are never counted as exposures.

import type { Evaluation } from '../contract/trace.ts'
import { isContext, readerOf, unitFrom } from './context.ts'

interface ArmOfSubject {
  split: string
  epoch: number
  variation: string
  /** The value that the split buckets on, as text; not yet hashed. */
  unit: string
}

/** The text that a split on `attribute` hashes for this context; undefined when it has no usable value. */
export function unitOf(context: unknown, attribute: string): string | undefined {
  try {
    return isContext(context) ? unitFrom(readerOf(attribute)(context)) : undefined
  } catch {
    return undefined
  }
}

/** Undefined when the variation was not served by a split. */
export function armOf({ split, variation }: Evaluation, context: unknown): ArmOfSubject | undefined {
  const unit = split && unitOf(context, split.by)
  if (split === undefined || variation === undefined || unit === undefined) return undefined
  return { split: split.id, epoch: split.epoch, variation, unit }
}
