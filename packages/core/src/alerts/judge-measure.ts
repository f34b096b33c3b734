// Whether the value measured in a window exceeds the threshold of an alert. Too few events are reported as missing
// data, never as healthy.

import type { AlertReading } from '../states/alert.ts'

export type AlertCondition =
  | { kind: 'threshold'; is: 'above' | 'below'; value: number }
  /** `by` is a ratio: 0.5 means 50%. */
  | { kind: 'change'; is: 'above' | 'below'; by: number; against: 'previous' | 'week' }

export interface WindowMeasure {
  value: number | null
  events: number
}

export interface Judgement {
  reading: AlertReading
  /** For a change: its size as a ratio. Null if the earlier window has no events. */
  change: number | null
  /** Why there is no data. */
  why: 'no-events' | 'too-few-events' | 'nothing-before' | null
}

interface Windows {
  now: WindowMeasure
  before?: WindowMeasure | undefined
  minEvents: number
}

export function judgeMeasure(condition: AlertCondition, { now, before, minEvents }: Windows): Judgement {
  if (condition.kind === 'threshold') {
    if (now.events < minEvents) return missing('too-few-events')
    if (now.value === null) return missing('no-events')
    return judged(isPast(now.value, condition.is, condition.value), null)
  }
  // A drop to zero must fire, so the larger of the two counts has to reach the minimum.
  if (Math.max(now.events, before?.events ?? 0) < minEvents) return missing('too-few-events')
  if (now.value === null) return missing('no-events')
  if (before === undefined || before.value === null) return missing('nothing-before')
  if (before.value === 0) return judged(condition.is === 'above' && now.value > 0, null)

  const change = (now.value - before.value) / Math.abs(before.value)
  return judged(isPast(change, condition.is, condition.is === 'above' ? condition.by : -condition.by), change)
}

const isPast = (value: number, is: 'above' | 'below', bound: number) =>
  is === 'above' ? value > bound : value < bound
const missing = (why: Judgement['why']): Judgement => ({ reading: 'missing', change: null, why })
const judged = (isOver: boolean, change: number | null): Judgement => ({
  reading: isOver ? 'past' : 'within',
  change,
  why: null,
})
