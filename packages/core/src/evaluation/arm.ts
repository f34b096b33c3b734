// Which arm an answer belongs to: read on demand, because most answers are never counted.

import type { Evaluation } from '../contract/trace.ts'
import { isContext, readerOf, unitFrom } from './context.ts'

export interface ArmOfSubject {
  split: string
  epoch: number
  variation: string
  /** What the split buckets on, as text; not yet hashed. */
  unit: string
}

/** The text a split on `attribute` hashes for this context; nothing when it cannot be split. */
export function unitOf(context: unknown, attribute: string): string | undefined {
  try {
    return isContext(context) ? unitFrom(readerOf(attribute)(context)) : undefined
  } catch {
    return undefined
  }
}

/** Nothing when the variation was not drawn. */
export function armOf({ split, variation }: Evaluation, context: unknown): ArmOfSubject | undefined {
  const unit = split && unitOf(context, split.by)
  if (split === undefined || variation === undefined || unit === undefined) return undefined
  return { split: split.id, epoch: split.epoch, variation, unit }
}
